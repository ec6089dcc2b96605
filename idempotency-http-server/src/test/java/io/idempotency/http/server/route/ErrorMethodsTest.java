package io.idempotency.http.server.route;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.http.server.Wire;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.core.convert.ArgumentConversionContext;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Error;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.bind.binders.TypedRequestArgumentBinder;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.json.JsonSyntaxException;
import io.micronaut.serde.annotation.Serdeable;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Positive;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** Configured routes of an application whose own methods answer errors, in the place of the route's method. */
@MicronautTest
@Property(name = "test.error-methods", value = "true")
@Property(name = "idempotency.http.routes.error-methods.path", value = "/error-methods/**")
class ErrorMethodsTest {

    @Inject
    @Client("/error-methods")
    HttpClient client;

    @Inject
    Orders orders;

    private final String key = UUID.randomUUID().toString();

    interface Charged {}

    @Serdeable
    @Introspected
    record Order(@Positive int amount) implements Charged {}

    @Controller("/error-methods")
    @Requires(property = "test.error-methods")
    static class Orders {
        final AtomicInteger bodies = new AtomicInteger();

        @Post("/order")
        String order(@Body @Valid Order order) {
            return "ran " + bodies.incrementAndGet();
        }

        @Post("/bought")
        String bought(Buyer buyer) {
            return buyer.name() + " " + bodies.incrementAndGet();
        }

        /** Calls an overload of itself with what the provider answered. */
        @Post("/overloaded")
        Mono<String> place(@Body @Valid Order order) {
            return Mono.fromSupplier(bodies::incrementAndGet).map(new Later(this, order));
        }

        String place(Order order, @Valid Order charged) {
            return "never";
        }

        /** Calls an overload that takes a wider type. */
        @Post("/wider")
        Mono<String> wider(@Body @Valid Order order) {
            return Mono.fromSupplier(bodies::incrementAndGet).map(new Wider(this));
        }

        String wider(@Valid Charged charged) {
            return "never";
        }

        /** Has a result that is not valid. */
        @Post("/result")
        String result(@Body @Valid Order order) {
            bodies.incrementAndGet();
            throw HibernateViolations.ofResult(this, "result", Order.class);
        }

        /** Is answered by a method for its status, whose header the request lacks. */
        @Post("/conflict")
        HttpResponse<?> conflict(@Body Order order) {
            bodies.incrementAndGet();
            return HttpResponse.status(HttpStatus.CONFLICT);
        }

        /** Has its effect before it reads the request, which proves unreadable. */
        @Post("/first")
        Mono<String> first(@Body @Valid Mono<@Valid Order> order) {
            return Mono.fromSupplier(bodies::incrementAndGet).then(order).map(Order::toString);
        }

        /** Calls itself. */
        @Post("/recursive")
        Mono<String> again(@Body @Valid Order order) {
            return Mono.fromSupplier(bodies::incrementAndGet).flatMap(number -> again(new Order(-1)));
        }
    }

    record Buyer(String name) {}

    /** Binds the buyer, who has to say his name. */
    @Singleton
    @Requires(property = "test.error-methods")
    static class Buyers implements TypedRequestArgumentBinder<Buyer> {
        @Override
        public Argument<Buyer> argumentType() {
            return Argument.of(Buyer.class);
        }

        @Override
        public BindingResult<Buyer> bind(ArgumentConversionContext<Buyer> context, HttpRequest<?> source) {
            Buyer buyer = new Buyer(Optional.ofNullable(source.getHeaders().get("X-Buyer"))
                    .orElseThrow(() -> new HttpStatusException(HttpStatus.UNAUTHORIZED, "who are you?")));
            return () -> Optional.of(buyer);
        }
    }

    /** Has no frame of the controller. */
    private record Later(Orders orders, Order order) implements Function<Integer, String> {
        @Override
        public String apply(Integer number) {
            return orders.place(order, new Order(-1));
        }
    }

    private record Wider(Orders orders) implements Function<Integer, String> {
        @Override
        public String apply(Integer number) {
            return orders.wider((Charged) new Order(-1));
        }
    }

    /** What many applications have. */
    @Controller
    @Requires(property = "test.error-methods")
    static class Errors {
        @Error(global = true)
        HttpResponse<?> invalid(ConstraintViolationException exception) {
            return HttpResponse.badRequest("invalid");
        }

        @Error(global = true)
        HttpResponse<?> malformed(JsonSyntaxException exception) {
            return HttpResponse.badRequest("malformed");
        }

        @Error(global = true, status = HttpStatus.NOT_FOUND)
        HttpResponse<?> unknown() {
            return HttpResponse.notFound("unknown");
        }

        @Error(global = true, status = HttpStatus.CONFLICT)
        HttpResponse<?> conflict(@Header("X-Trace") String trace) {
            return HttpResponse.status(HttpStatus.CONFLICT).body(trace);
        }
    }

    @BeforeEach
    void reset() {
        orders.bodies.set(0);
    }

    private HttpResponse<byte[]> send(String path, String body) {
        return new Wire(client).send(post(path, body).header("Idempotency-Key", key));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"/order | {\"amount\":0} | invalid", "/order | {\"amount\": | malformed", "/none | {} | unknown"})
    void whatIsAnsweredBeforeTheBodyFreesTheKey(String path, String body, String answer) {
        for (int i = 0; i < 2; i++) {
            HttpResponse<byte[]> refused = send(path, body);
            assertThat(text(refused)).isEqualTo(answer);
            assertThat(refused.header("Idempotent-Replayed")).isNull();
        }
        assertThat(text(send("/order", "{\"amount\":1}"))).isEqualTo("ran 1");
    }

    @Test
    void whatTheBinderOfAnArgumentRefusesDoesSoToo() {
        assertThat(send("/bought", "{}").code()).isEqualTo(401);
        HttpResponse<byte[]> named = new Wire(client)
                .send(post("/bought", "{}").header("Idempotency-Key", key).header("X-Buyer", "Ada"));
        assertThat(text(named)).isEqualTo("Ada 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/overloaded", "/wider", "/recursive"})
    void aConstraintOfACallThatTheBodyMadeDoesNot(String path) {
        for (int i = 0; i < 2; i++) {
            assertThat(text(send(path, "{\"amount\":1}"))).isEqualTo("invalid");
        }
        assertThat(orders.bodies).hasValue(1);
    }

    @Test
    void aResultThatHibernateValidatorFindsInvalidDoesNotEither() {
        for (int i = 0; i < 2; i++) {
            HttpResponse<byte[]> invalid = send("/result", "{\"amount\":1}");
            assertThat(invalid.code()).isEqualTo(400);
            assertThat(text(invalid)).isEqualTo("invalid");
        }
        assertThat(orders.bodies).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"amount\":\"many\"}", "{\"amount\":", "[]", "{\"amount\":0}"})
    void aRequestThatTheBodyItselfReadsDoesNotEither(String unreadable) {
        for (int i = 0; i < 2; i++) {
            assertThat(send("/first", unreadable).code()).isGreaterThanOrEqualTo(400);
        }
        assertThat(orders.bodies).hasValue(1);
    }

    @Test
    void anArgumentThatAMethodForTheStatusOfTheBodyLacksDoesNotEither() {
        assertThat(send("/conflict", "{\"amount\":1}").code()).isEqualTo(400);
        HttpResponse<byte[]> again = send("/conflict", "{\"amount\":1}");
        assertThat(again.code()).isEqualTo(400);
        assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(orders.bodies).hasValue(1);
    }
}

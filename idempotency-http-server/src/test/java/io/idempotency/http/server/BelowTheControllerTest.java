package io.idempotency.http.server;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotencyKey;
import io.idempotency.IdempotentOperation;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Error;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Operations that a controller calls: no answer is recorded for their failures, because the answer is not theirs alone. */
@MicronautTest
@Property(name = "test.below", value = "true")
class BelowTheControllerTest {

    @Inject
    @Client("/below")
    HttpClient client;

    @Inject
    Stock stock;

    @Singleton
    @Requires(property = "test.below")
    static class Stock {
        final AtomicInteger bodies = new AtomicInteger();

        @IdempotentOperation("below-status")
        String status(@IdempotencyKey String id) {
            throw new HttpStatusException(HttpStatus.GONE, "sold out " + bodies.incrementAndGet());
        }

        @IdempotentOperation("below-own")
        String own(@IdempotencyKey String id) {
            throw new SoldOut("of secret-supplier");
        }

        @IdempotentOperation("below-unknown")
        String unknown(@IdempotencyKey String id) {
            throw new HttpStatusException(HttpStatus.NOT_FOUND, "secret-supplier has none");
        }

        @IdempotentOperation("below-taken")
        String taken(@IdempotencyKey String id) {
            throw new HttpStatusException(HttpStatus.CONFLICT, "secret-supplier took it");
        }

        @IdempotentOperation("below-refused")
        String refused(@IdempotencyKey String id) {
            throw new HttpStatusException(HttpStatus.PAYMENT_REQUIRED, "secret-supplier wants money");
        }

        @IdempotentOperation("below-body")
        String body(@IdempotencyKey String id) {
            throw new HttpStatusException(HttpStatus.GONE, (Object) Map.of("number", bodies.incrementAndGet()));
        }
    }

    static class SoldOut extends HttpStatusException {
        SoldOut(String message) {
            super(HttpStatus.GONE, message);
        }
    }

    /** Leaves out what the exception says. */
    @Singleton
    @Requires(property = "test.below")
    static class SoldOutHandler implements ExceptionHandler<SoldOut, HttpResponse<?>> {
        @Override
        @SuppressWarnings("rawtypes") // as the interface declares it
        public HttpResponse<?> handle(HttpRequest request, SoldOut exception) {
            return HttpResponse.status(HttpStatus.GONE).body("sold out");
        }
    }

    @Controller("/below")
    @Requires(property = "test.below")
    static class StockController {
        private final Stock stock;

        StockController(Stock stock) {
            this.stock = stock;
        }

        @Post("/status")
        String status(@Body String id) {
            return stock.status(id);
        }

        @Post("/own")
        String own(@Body String id) {
            return stock.own(id);
        }

        @Post("/unknown")
        String unknown(@Body String id) {
            return stock.unknown(id);
        }

        @Post("/taken")
        String taken(@Body String id) {
            return stock.taken(id);
        }

        @Error(status = HttpStatus.CONFLICT)
        HttpResponse<?> conflict() {
            return HttpResponse.status(HttpStatus.CONFLICT).body("taken");
        }

        @Post("/body")
        String body(@Body String id) {
            return stock.body(id);
        }
    }

    /** Answers what is thrown below it by methods of its own, which leave out what the exceptions say. */
    @Controller("/below")
    @Requires(property = "test.below")
    static class ErrorsController {
        private final Stock stock;

        ErrorsController(Stock stock) {
            this.stock = stock;
        }

        @Post("/refused")
        String refused(@Body String id) {
            return stock.refused(id);
        }

        @Error(status = HttpStatus.NOT_FOUND, global = true)
        HttpResponse<?> page() {
            return HttpResponse.notFound("no such thing");
        }

        @Error(HttpStatusException.class)
        HttpResponse<?> answer(HttpStatusException thrown) {
            return HttpResponse.status(thrown.getStatus()).body("not today");
        }
    }

    private HttpResponse<byte[]> send(String path) {
        return new Wire(client).send(post(path, "\"a\""));
    }

    @Test
    void aStatusThatTheyThrewIsAnsweredAgainWithItsMessage() {
        HttpResponse<byte[]> first = send("/status");
        HttpResponse<byte[]> again = send("/status");
        assertThat(again.code()).isEqualTo(first.code()).isEqualTo(410);
        assertThat(text(again)).isEqualTo(text(first)).contains("sold out");
        assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(again.header("Idempotency-Status")).startsWith("refused;code=previous-attempt-failed");
        assertThat(stock.bodies.get()).isEqualTo(1);
    }

    @Test
    void ofOneWithAHandlerOfItsOwnOnlyTheStatusIs() {
        assertThat(text(send("/own"))).isEqualTo("sold out");
        onlyTheStatusIsAnsweredAgain("/own", 410);
    }

    @Test
    void ofOneThatAMethodForItsStatusAnsweredOnlyTheStatusIs() {
        assertThat(text(send("/unknown"))).isEqualTo("no such thing");
        onlyTheStatusIsAnsweredAgain("/unknown", 404);
        assertThat(text(send("/taken"))).isEqualTo("taken");
        onlyTheStatusIsAnsweredAgain("/taken", 409);
    }

    @Test
    void ofOneThatAMethodForItsClassAnsweredOnlyTheStatusIs() {
        assertThat(text(send("/refused"))).isEqualTo("not today");
        onlyTheStatusIsAnsweredAgain("/refused", 402);
    }

    private void onlyTheStatusIsAnsweredAgain(String path, int status) {
        HttpResponse<byte[]> again = send(path);
        assertThat(again.code()).isEqualTo(status);
        assertThat(text(again)).contains("previous-attempt-failed").doesNotContain("secret-supplier");
        assertThat(again.header("Idempotent-Replayed")).isNull();
    }

    @Test
    void ofOneWithABodyOfItsOwnOnlyTheStatusIs() {
        send("/body");
        int bodies = stock.bodies.get();
        HttpResponse<byte[]> again = send("/body");
        assertThat(again.code()).isEqualTo(410);
        assertThat(text(again)).contains("previous-attempt-failed");
        assertThat(stock.bodies.get()).isEqualTo(bodies);
    }
}

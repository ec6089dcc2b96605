package io.idempotency.http.server.route;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotentOperation;
import io.idempotency.http.server.Wire;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.serde.annotation.Serdeable;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Routes whose method stands in a super type. */
@MicronautTest
@Property(name = "test.inherited", value = "true")
class InheritedRoutesTest {

    private static final AtomicInteger BODIES = new AtomicInteger();

    @Inject
    @Client("/inherited")
    HttpClient client;

    @Serdeable
    record Order(String item) {}

    abstract static class Plain {
        @Post("/add")
        @IdempotentOperation("inherited-plain")
        String add(@Body Order order) {
            return ran(order);
        }

        @Post("/fail")
        @IdempotentOperation("inherited-plain-fail")
        String fail(@Body Order order) {
            throw gone();
        }
    }

    interface Api<T> {
        @Post("/add")
        @IdempotentOperation("inherited-api")
        String add(@Body T order);

        @Post("/fail")
        @IdempotentOperation("inherited-api-fail")
        String fail(@Body T order);
    }

    @Controller("/inherited/plain")
    @Requires(property = "test.inherited")
    static class PlainOrders extends Plain {}

    @Controller("/inherited/generic")
    @Requires(property = "test.inherited")
    static class GenericOrders extends CollectionRoutes<Order> {}

    @Controller("/inherited/other")
    @Requires(property = "test.inherited")
    static class OtherOrders extends CollectionRoutes<Map<String, String>> {}

    @Controller("/inherited/api")
    @Requires(property = "test.inherited")
    static class ApiOrders implements Api<Order> {
        @Override
        public String add(Order order) {
            return ran(order);
        }

        @Override
        public String fail(Order order) {
            throw gone();
        }
    }

    static String ran(Object order) {
        return order + " " + BODIES.incrementAndGet();
    }

    static HttpStatusException gone() {
        return new HttpStatusException(HttpStatus.GONE, "sold out " + BODIES.incrementAndGet());
    }

    private HttpResponse<byte[]> send(String path, String key) {
        return new Wire(client).send(post(path, "{\"item\":\"book\"}").header("Idempotency-Key", key));
    }

    @ParameterizedTest
    @CsvSource({"plain", "generic", "other", "api"})
    void replayTheirAnswerAndTheirFailure(String type) {
        for (String method : new String[] {"add", "fail"}) {
            String path = "/" + type + "/" + method;
            String key = UUID.randomUUID().toString();
            HttpResponse<byte[]> first = send(path, key);
            HttpResponse<byte[]> again = send(path, key);
            assertThat(first.code()).as(path + " " + text(first)).isEqualTo("add".equals(method) ? 200 : 410);
            assertThat(again.code()).isEqualTo(first.code());
            assertThat(text(again)).isEqualTo(text(first));
            assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
        }
    }
}

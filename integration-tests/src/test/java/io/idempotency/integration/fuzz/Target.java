package io.idempotency.integration.fuzz;

import io.idempotency.IdempotentOperation;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** What the fuzzed calls reach. */
final class Target {

    static final String PROPERTY = "fuzz.target";

    private Target() {}

    /** An order of any shape. */
    @Serdeable
    record Order(
            @Nullable BigDecimal amount,
            @Nullable Map<String, Object> more,
            @Nullable List<Order> parts) {}

    /** A receipt, to be recorded. */
    @Serdeable
    record Receipt(String key, int run, @Nullable List<String> lines) {}

    /** Over HTTP, with an annotation and by configuration. */
    @Controller("/fuzz")
    @Requires(property = PROPERTY)
    static class Routes {

        private final AtomicInteger runs = new AtomicInteger();

        @Post("/annotated")
        @IdempotentOperation("fuzz-annotated")
        String annotated(@Body Order order) {
            return "run " + runs.incrementAndGet();
        }

        @Post("/amount")
        @IdempotentOperation(value = "fuzz-amount", key = "order.amount")
        String amount(@Body Order order) {
            return "run " + runs.incrementAndGet();
        }

        @Post(value = "/configured", consumes = MediaType.ALL)
        String configured(@Body @Nullable byte[] body) {
            return "run " + runs.incrementAndGet();
        }
    }

    /** Called as a bean. */
    @Singleton
    @Requires(property = PROPERTY)
    static class Bean {

        private final AtomicInteger runs = new AtomicInteger();

        @IdempotentOperation(value = "fuzz-bean", key = "key")
        Receipt pay(String key, String payload) {
            return new Receipt(key, runs.incrementAndGet(), List.of(payload));
        }
    }
}

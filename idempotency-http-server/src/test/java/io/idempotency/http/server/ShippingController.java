package io.idempotency.http.server;

import io.idempotency.IdempotencyExecutor;
import io.idempotency.IdempotencyKey;
import io.idempotency.IdempotentOperation;
import io.idempotency.OtherCallers;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.runtime.event.annotation.EventListener;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.scheduling.annotation.Scheduled;
import io.micronaut.security.annotation.Secured;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** One order, asked for by users over HTTP, by a scheduled job and by a listener. */
@Controller("/shipping")
@Secured("PAYER")
@Requires(property = "test.secured")
class ShippingController {

    private final Shipping shipping;

    ShippingController(Shipping shipping) {
        this.shipping = shipping;
    }

    @Serdeable
    record Order(String orderId, int weight) {}

    @Post("/bean/{operation}")
    @ExecuteOn(TaskExecutors.BLOCKING)
    int ship(@PathVariable String operation, @Body Order order) {
        return shipping.ship(operation, order);
    }

    @Post("/header")
    @ExecuteOn(TaskExecutors.BLOCKING)
    @IdempotentOperation("ship-by-header")
    int header(@Body Order order) {
        return shipping.bodies.incrementAndGet();
    }

    @Post("/bound")
    @ExecuteOn(TaskExecutors.BLOCKING)
    @IdempotentOperation("ship-by-bound-header")
    int bound(@IdempotencyKey @Header("X-Request-Id") String requestId, @Body Order order) {
        return shipping.bodies.incrementAndGet();
    }

    @Post("/header-share")
    @ExecuteOn(TaskExecutors.BLOCKING)
    @IdempotentOperation(value = "ship-header-share", otherCallers = OtherCallers.SHARE)
    int headerShared(@Body Order order) {
        return shipping.bodies.incrementAndGet();
    }

    @Post("/route-key")
    @ExecuteOn(TaskExecutors.BLOCKING)
    @IdempotentOperation(value = "ship-route-key", key = "order.orderId")
    int routeKey(@Body Order order) {
        return shipping.bodies.incrementAndGet();
    }

    /** Every way to the same order. The four annotated methods differ in what they say of other callers only. */
    @Singleton
    @Requires(property = "test.secured")
    static class Shipping {

        final AtomicInteger bodies = new AtomicInteger();
        private final IdempotencyExecutor executor;

        Shipping(IdempotencyExecutor executor) {
            this.executor = executor;
        }

        int ship(String operation, Order order) {
            return switch (operation) {
                case "ship-default" -> standard(order);
                case "ship-share" -> share(order);
                case "ship-isolate" -> isolate(order);
                case "ship-forbid" -> forbid(order);
                case "ship-configured" -> configured(order);
                case "ship-arguments" -> arguments(order);
                default -> executor.execute(operation, order.orderId(), order, Integer.class, bodies::incrementAndGet);
            };
        }

        @IdempotentOperation(value = "ship-default", key = "order.orderId")
        int standard(Order order) {
            return bodies.incrementAndGet();
        }

        @IdempotentOperation(value = "ship-share", key = "order.orderId", otherCallers = OtherCallers.SHARE)
        int share(Order order) {
            return bodies.incrementAndGet();
        }

        @IdempotentOperation(value = "ship-isolate", key = "order.orderId", otherCallers = OtherCallers.ISOLATE)
        int isolate(Order order) {
            return bodies.incrementAndGet();
        }

        @IdempotentOperation(value = "ship-forbid", key = "order.orderId", otherCallers = OtherCallers.FORBID)
        int forbid(Order order) {
            return bodies.incrementAndGet();
        }

        /** Configuration says otherwise. */
        @IdempotentOperation(value = "ship-configured", key = "order.orderId", otherCallers = OtherCallers.ISOLATE)
        int configured(Order order) {
            return bodies.incrementAndGet();
        }

        @IdempotentOperation("ship-arguments")
        int arguments(Order order) {
            return bodies.incrementAndGet();
        }
    }

    /** What asks again without a user. */
    @Singleton
    @Requires(property = "test.background")
    static class Background {

        record Asked(String operation, Order order, CompletableFuture<Integer> answer) {}

        final Map<String, Asked> retries = new ConcurrentHashMap<>();
        private final Shipping shipping;

        Background(Shipping shipping) {
            this.shipping = shipping;
        }

        @Scheduled(fixedDelay = "20ms")
        void retry() {
            retries.keySet().forEach(id -> ship(retries.remove(id)));
        }

        @EventListener
        void on(Asked asked) {
            ship(asked);
        }

        private void ship(Asked asked) {
            asked.answer().completeAsync(() -> shipping.ship(asked.operation(), asked.order()), Runnable::run);
        }
    }
}

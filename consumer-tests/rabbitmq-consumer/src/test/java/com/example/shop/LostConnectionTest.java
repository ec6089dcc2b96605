package com.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.example.shop.OrderMessagesTest.Orders;
import com.example.shop.OrderMessagesTest.Warehouse;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.test.servers.FaultProxy;
import io.micronaut.context.ApplicationContext;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The broker delivers a message again whose consumer's connection is lost while the body runs. */
class LostConnectionTest {

    /** Ends at the latest with the test: the application's close waits for it. */
    private record SlowBody(Warehouse in) implements AutoCloseable {
        @Override
        public void close() {
            in.slow.countDown();
        }
    }

    private static void eventually(BooleanSupplier condition) {
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(condition::getAsBoolean);
    }

    @Test
    void theMessageIsHeldWhileItsBodyRunsAndHandledOnce() {
        try (AmqpBroker broker = AmqpBroker.start();
                FaultProxy proxy = FaultProxy.to("127.0.0.1", broker.port());
                ApplicationContext shop = ApplicationContext.run(
                        Map.of("rabbitmq.host", "127.0.0.1", "rabbitmq.port", String.valueOf(proxy.port())));
                SlowBody slow = new SlowBody(shop.getBean(Warehouse.class))) {
            List<String> outcomes = shop.getBean(Outcomes.class).of;
            shop.getBean(Orders.class).send(new OrderPlaced("slow", 1));
            eventually(() -> slow.in().shipped.of("slow") == 1);
            proxy.reset();
            eventually(() -> outcomes.contains("in-progress"));
            slow.in().slow.countDown();
            eventually(() -> outcomes.contains("replayed"));
            eventually(() -> broker.waiting("orders") == 0);
            assertEquals(1, slow.in().shipped.of("slow"));
            assertEquals(0, broker.waiting("dead-orders"));
        }
    }

    /** What calls came to. */
    @Singleton
    static class Outcomes implements OutcomeListener {

        private final List<String> of = new CopyOnWriteArrayList<>();

        @Override
        public void onOutcome(Call call, Outcome outcome) {
            of.add(outcome.label());
        }
    }
}

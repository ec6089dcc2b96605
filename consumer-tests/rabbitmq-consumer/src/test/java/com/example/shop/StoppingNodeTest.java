package com.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.example.shop.OrderMessagesTest.Orders;
import com.example.shop.OrderMessagesTest.Warehouse;
import io.idempotency.ApplicationShuttingDownException;
import io.micronaut.context.ApplicationContext;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A node that stops gives its messages to another node, and ends the body that runs. */
class StoppingNodeTest {

    private static final int MESSAGES = 20;

    /** Ends at the latest with the test: the node's close waits for it. */
    private record SlowBody(Warehouse in) implements AutoCloseable {
        @Override
        public void close() {
            in.slow.countDown();
        }
    }

    private static ApplicationContext node(AmqpBroker broker) {
        return ApplicationContext.run(
                Map.of("rabbitmq.host", "127.0.0.1", "rabbitmq.port", String.valueOf(broker.port())));
    }

    private static void eventually(BooleanSupplier condition) {
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(condition::getAsBoolean);
    }

    @Test
    void messagesThatComeWhileItsLastBodyRunsAreHandledByTheOtherNodeAndNoneIsDeadLettered() throws Exception {
        try (AmqpBroker broker = AmqpBroker.start();
                ApplicationContext old = node(broker);
                SlowBody slow = new SlowBody(old.getBean(Warehouse.class))) {
            Warehouse oldWarehouse = slow.in();
            Orders orders = old.getBean(Orders.class);
            orders.send(new OrderPlaced("slow", 1));
            eventually(() -> oldWarehouse.shipped.of("slow") == 1);
            CompletableFuture<Void> stopped = CompletableFuture.runAsync(old::close);
            eventually(() -> !isAccepting(old));
            for (int number = 0; number < MESSAGES; number++) {
                orders.send(new OrderPlaced("order-" + number, 1));
            }
            try (ApplicationContext other = node(broker)) {
                Warehouse otherWarehouse = other.getBean(Warehouse.class);
                oldWarehouse.slow.countDown(); // what the old node was sent waits behind this body
                stopped.get(1, TimeUnit.MINUTES);
                eventually(() -> handled(otherWarehouse) == MESSAGES);
                assertEquals(0, handled(oldWarehouse));
                assertEquals(0, otherWarehouse.shipped.of("slow"));
                assertEquals(0, broker.waiting("dead-orders"));
            }
        }
    }

    /** Whether the node still begins bodies. */
    private static boolean isAccepting(ApplicationContext node) {
        try {
            node.getBean(OrderMessages.class).receive(new OrderPlaced("probe", 1));
            return true;
        } catch (ApplicationShuttingDownException e) {
            return false;
        }
    }

    private static long handled(Warehouse warehouse) {
        long handled = 0;
        for (int number = 0; number < MESSAGES; number++) {
            handled += warehouse.shipped.of("order-" + number);
        }
        return handled;
    }
}

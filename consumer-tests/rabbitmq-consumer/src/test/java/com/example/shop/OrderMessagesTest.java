package com.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.idempotency.IdempotencyStoreUnavailableException;
import io.idempotency.IdempotentOperation;
import io.idempotency.OnFailure;
import io.idempotency.test.Effects;
import io.idempotency.test.FaultyStore.Call;
import io.idempotency.test.IdempotencyTest;
import io.idempotency.test.IdempotencyTestKit;
import io.micronaut.messaging.annotation.MessageHeader;
import io.micronaut.rabbitmq.annotation.Binding;
import io.micronaut.rabbitmq.annotation.Queue;
import io.micronaut.rabbitmq.annotation.RabbitClient;
import io.micronaut.rabbitmq.annotation.RabbitHeaders;
import io.micronaut.rabbitmq.annotation.RabbitListener;
import io.micronaut.retry.annotation.Retryable;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.micronaut.test.support.TestPropertyProvider;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** With a broker: a message whose call is refused for a while is handled later, and one that cannot be is dead-lettered. */
@MicronautTest
@IdempotencyTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OrderMessagesTest implements TestPropertyProvider {

    private static final String OPERATION = "ship-order";

    private AmqpBroker broker;

    @Inject
    IdempotencyTestKit kit;

    @Inject
    Warehouse warehouse;

    @Inject
    OrderMessages listener;

    @Inject
    Parcels parcels;

    @Inject
    Letters letters;

    @Inject
    Notes notes;

    @Inject
    Orders orders;

    @Override
    public Map<String, String> getProperties() {
        broker = AmqpBroker.start();
        return Map.of("rabbitmq.host", "127.0.0.1", "rabbitmq.port", String.valueOf(broker.port()));
    }

    @AfterAll
    void stop() {
        broker.close();
    }

    private void eventually(BooleanSupplier condition) {
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(condition::getAsBoolean);
    }

    private void refusedThreeTimes() {
        eventually(() -> kit.calls(OPERATION).refusals().size() >= 3);
    }

    @Test
    void aMessageThatComesWhileTheStoreIsAwayIsHandledWhenItIsBack() {
        kit.store().refuse(Call.CLAIM);
        orders.send(new OrderPlaced("away", 1));
        refusedThreeTimes();
        assertEquals(0, warehouse.shipped.of("away"));
        kit.store().mend();
        eventually(() -> warehouse.shipped.of("away") == 1);
    }

    @Test
    void aMessageOfADeadOwnerIsTakenOverWhenItsLeaseIsOver() {
        OrderPlaced order = new OrderPlaced("killed", 1);
        kit.store().crashNextOwner();
        try {
            listener.receive(order);
        } catch (RuntimeException dead) {
            // what its own caller gets does not matter
        }
        assertEquals(1, warehouse.shipped.of("killed"));
        orders.send(order);
        refusedThreeTimes();
        assertEquals(1, warehouse.shipped.of("killed"));
        kit.skip(Duration.ofMinutes(1));
        eventually(() -> warehouse.shipped.of("killed") == 2);
    }

    @Test
    void aMessageThatCannotBeHandledIsDeadLetteredAndTheNextOnesAreHandled() {
        long dead = broker.waiting("dead-orders");
        orders.send(new OrderPlaced("poison", -1));
        orders.send(new OrderPlaced("next", 1));
        orders.send(new OrderPlaced("poison", -1));
        orders.send(new OrderPlaced("last", 1));
        eventually(() -> warehouse.shipped.of("last") == 1);
        eventually(() -> broker.waiting("dead-orders") == dead + 2);
        eventually(() -> warehouse.shipped.of("next") == 1);
        assertEquals(1, warehouse.shipped.of("poison"));
    }

    @Test
    void aMessageWhoseOutcomeIsUnknownIsDeadLetteredAndTheNextOneIsHandled() {
        long dead = broker.waiting("dead-orders");
        OrderPlaced order = new OrderPlaced("unknown", 1);
        kit.store().crashNextOwner();
        parcels.receive(order);
        kit.skip(Duration.ofMinutes(1));
        orders.handOver(order);
        orders.handOver(new OrderPlaced("after-unknown", 1));
        eventually(() -> warehouse.shipped.of("after-unknown") == 1);
        eventually(() -> broker.waiting("dead-orders") == dead + 1);
        assertEquals(1, warehouse.shipped.of("unknown"));
    }

    @Test
    void aMessageThatIsDeliveredTwiceIsHandledOnce() {
        long dead = broker.waiting("dead-orders");
        orders.send(new OrderPlaced("twice", 1));
        orders.send(new OrderPlaced("twice", 1));
        orders.send(new OrderPlaced("after", 1));
        eventually(() -> warehouse.shipped.of("after") == 1);
        assertEquals(1, warehouse.shipped.of("twice"));
        assertEquals(dead, broker.waiting("dead-orders"));
    }

    @Test
    void aMessageIsHeldInEveryAttemptOfARetryAroundItsListener() {
        long dead = broker.waiting("dead-orders");
        letters.first = () -> kit.store().refuse(Call.CLAIM);
        orders.post(new OrderPlaced("letter", 1), 1000);
        eventually(() -> kit.calls("post-letter").refusals().size() >= 4);
        kit.store().mend();
        eventually(() -> letters.bodies.get() == 2);
        assertEquals(dead, broker.waiting("dead-orders"));
    }

    @Test
    void anOperationThatAListenerCallsIsNotHeld() throws InterruptedException {
        kit.store().refuse(Call.CLAIM);
        orders.note(new OrderPlaced("noted", 1), 1000);
        assertTrue(notes.refused.await(1, TimeUnit.MINUTES));
        kit.store().mend();
    }

    @Test
    void aCallThatNoMessageMadeIsRefusedAtOnce() {
        kit.store().refuse(Call.CLAIM);
        assertThrows(
                IdempotencyStoreUnavailableException.class, () -> listener.receive(new OrderPlaced("called", 1)));
        kit.store().mend();
    }

    /** Announces orders. */
    @RabbitClient
    interface Orders {

        @Binding("orders")
        void send(OrderPlaced order);

        @Binding("parcels")
        void handOver(OrderPlaced order);

        @Binding("letters")
        void post(OrderPlaced order, @MessageHeader("x-sequence") long sequence);

        @Binding("notes")
        void note(OrderPlaced order, @MessageHeader("x-sequence") long sequence);
    }

    /** No operation itself, but it calls one, with arguments as a message might have them. */
    @RabbitListener
    static class Notes {

        private final Ledger ledger;
        private final CountDownLatch refused = new CountDownLatch(1);

        Notes(Ledger ledger) {
            this.ledger = ledger;
        }

        @Queue("notes")
        void receive(OrderPlaced order, @MessageHeader("x-sequence") long sequence) {
            try {
                ledger.close(sequence);
            } catch (IdempotencyStoreUnavailableException e) {
                refused.countDown();
            }
        }
    }

    @Singleton
    static class Ledger {

        @IdempotentOperation(value = "close-ledger", key = "sequence")
        void close(long sequence) {}
    }

    /** Tried again by Micronaut, and with a primitive parameter. */
    @RabbitListener
    static class Letters {

        private final AtomicInteger bodies = new AtomicInteger();
        private volatile Runnable first = () -> {};

        @Queue("letters")
        @Retryable(attempts = "2", delay = "10ms")
        @IdempotentOperation(value = "post-letter", key = "order.orderId", onFailure = OnFailure.RELEASE)
        void receive(
                @RabbitHeaders Map<String, Object> headers,
                OrderPlaced order,
                @MessageHeader("x-sequence") long sequence) {
            if (bodies.incrementAndGet() == 1) {
                first.run();
                throw new IllegalStateException("tried again");
            }
        }
    }

    /** Nobody can ask what became of a parcel: its owner's death leaves the outcome unknown. */
    @RabbitListener
    static class Parcels {

        private final Warehouse warehouse;

        Parcels(Warehouse warehouse) {
            this.warehouse = warehouse;
        }

        @Queue("parcels")
        @IdempotentOperation(value = "hand-over", key = "order.orderId")
        void receive(OrderPlaced order) {
            warehouse.ship(order);
        }
    }

    /** Counts what is shipped. */
    @Singleton
    static class Warehouse implements Shipments {

        final Effects shipped = new Effects("shipped");
        final CountDownLatch slow = new CountDownLatch(1);

        @Override
        public void ship(OrderPlaced order) {
            shipped.happen(order.orderId());
            if (order.orderId().equals("slow")) {
                awaitSlow();
            }
            if (order.amount() < 0) {
                throw new IllegalStateException("cannot ship " + order);
            }
        }

        private void awaitSlow() {
            try {
                slow.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

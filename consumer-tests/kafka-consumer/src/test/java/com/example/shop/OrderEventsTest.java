package com.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.idempotency.OutcomeUnknownException;
import io.idempotency.test.FaultyStore.Call;
import io.idempotency.test.IdempotencyTest;
import io.idempotency.test.IdempotencyTestKit;
import io.micronaut.configuration.kafka.annotation.KafkaClient;
import io.micronaut.configuration.kafka.annotation.Topic;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.micronaut.test.support.TestPropertyProvider;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupListing;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** With a real broker: a message whose call is refused for a while is handled later, and one that cannot be is skipped. */
@MicronautTest
@IdempotencyTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OrderEventsTest implements TestPropertyProvider {

    private static final String OPERATION = "ship-order";

    @TempDir
    static Path directory;

    private KafkaBroker broker;

    @Inject
    IdempotencyTestKit kit;

    @Inject
    Warehouse warehouse;

    @Inject
    OrderEvents listener;

    @Inject
    OrderParcels parcels;

    @Inject
    Orders orders;

    @Override
    public Map<String, String> getProperties() {
        broker = KafkaBroker.start(directory);
        return Map.of("kafka.bootstrap.servers", broker.address());
    }

    @AfterAll
    void stop() {
        broker.close();
    }

    private void eventually(BooleanSupplier condition) {
        Awaitility.await().atMost(Duration.ofMinutes(2)).until(condition::getAsBoolean);
    }

    /** More refusals than the retry that Micronaut Kafka makes by default. */
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
    void aMessageThatCannotBeHandledIsSkippedAndTheNextOnesAreHandled() {
        orders.send(new OrderPlaced("poison", -1));
        orders.send(new OrderPlaced("next", 1));
        orders.send(new OrderPlaced("poison", -1));
        orders.send(new OrderPlaced("last", 1));
        eventually(() -> warehouse.shipped.of("last") == 1);
        assertEquals(1, warehouse.shipped.of("next"));
        assertEquals(1, warehouse.shipped.of("poison"));
    }

    @Test
    void aMessageWhoseOutcomeIsUnknownIsPutAsideOnceAndTheNextOnesAreHandled() {
        OrderPlaced order = new OrderPlaced("unknown", 1);
        kit.store().crashNextOwner();
        parcels.receive(order);
        kit.skip(Duration.ofMinutes(1));
        orders.handOver(order);
        orders.handOver(new OrderPlaced("after-unknown", 1));
        eventually(() -> warehouse.shipped.of("after-unknown") == 1);
        assertEquals(1, parcels.aside.size());
        assertInstanceOf(OutcomeUnknownException.class, parcels.aside.peek().getCause());
        assertEquals(1, warehouse.shipped.of("unknown"));
    }

    @Test
    void aBatchIsTriedAgainWhileOneOfItsMessagesIsRefusedAndEachIsHandledOnce() {
        kit.store().refuse(Call.CLAIM);
        for (int number = 0; number < 5; number++) {
            orders.sendInBulk(new OrderPlaced("bulk-" + number, number == 2 ? -1 : 1));
        }
        eventually(() -> kit.calls("pack-order").refusals().size() >= 3);
        kit.store().mend();
        eventually(() -> warehouse.shipped.of("bulk-4") == 1);
        for (int number = 0; number < 5; number++) {
            assertEquals(1, warehouse.shipped.of("bulk-" + number));
        }
    }

    @Test
    void theGroupIsNamedAfterTheClassOfTheSource() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.address()))) {
            assertTrue(admin.listConsumerGroups().all().get().stream()
                    .map(ConsumerGroupListing::groupId)
                    .anyMatch(OrderEvents.class.getName()::equals));
        }
    }

    /** Announces orders. */
    @KafkaClient
    interface Orders {

        @Topic("orders")
        void send(OrderPlaced order);

        @Topic("parcels")
        void handOver(OrderPlaced order);

        @Topic("bulk-orders")
        void sendInBulk(OrderPlaced order);
    }
}

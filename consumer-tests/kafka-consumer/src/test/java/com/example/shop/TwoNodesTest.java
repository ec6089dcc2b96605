package com.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.example.shop.OrderEventsTest.Orders;
import io.idempotency.ApplicationShuttingDownException;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.OutcomeListener;
import io.micronaut.configuration.kafka.annotation.ErrorStrategy;
import io.micronaut.configuration.kafka.annotation.ErrorStrategyValue;
import io.micronaut.configuration.kafka.annotation.KafkaClient;
import io.micronaut.configuration.kafka.annotation.KafkaListener;
import io.micronaut.configuration.kafka.annotation.OffsetReset;
import io.micronaut.configuration.kafka.annotation.OffsetStrategy;
import io.micronaut.configuration.kafka.annotation.Topic;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes of one group, which share their records in a database, and a message that takes its time. */
class TwoNodesTest {

    private static final int MESSAGES = 10;

    @TempDir
    Path directory;

    private final String database = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

    /** Ends at the latest with the test: the node's close waits for it. */
    private record SlowBody(Warehouse in) implements AutoCloseable {
        @Override
        public void close() {
            in.slow.countDown();
        }
    }

    private ApplicationContext node(KafkaBroker broker, String... environments) {
        return ApplicationContext.run(Map.of(
                "kafka.bootstrap.servers", broker.address(),
                "kafka.max.poll.interval.ms", 6000,
                "idempotency.store", "jdbc",
                "datasources.default.url", database), environments);
    }

    private static void eventually(BooleanSupplier condition) {
        Awaitility.await().atMost(Duration.ofMinutes(2)).until(condition::getAsBoolean);
    }

    @Test
    void aMessageThatTheGroupTakesAwayInMidHandlingIsHandledOnce() {
        try (KafkaBroker broker = KafkaBroker.start(directory);
                ApplicationContext first = node(broker);
                SlowBody slow = new SlowBody(first.getBean(Warehouse.class))) {
            Orders orders = first.getBean(Orders.class);
            orders.send(new OrderPlaced("slow", 1));
            eventually(() -> slow.in().shipped.of("slow") == 1);
            try (ApplicationContext second = node(broker)) {
                // the first node does not poll meanwhile, so the group gives its partition to the second one
                eventually(() -> second.getBean(Refusals.class).seen.get() >= 2);
                slow.in().slow.countDown();
                orders.send(new OrderPlaced("after", 1));
                Warehouse other = second.getBean(Warehouse.class);
                eventually(() -> other.shipped.of("after") + slow.in().shipped.of("after") == 1);
                assertEquals(1, slow.in().shipped.of("slow"));
                assertEquals(0, other.shipped.of("slow"));
            }
        }
    }

    @Test
    void messagesThatComeWhileANodeStopsAreHandledByTheOtherOne() throws Exception {
        try (KafkaBroker broker = KafkaBroker.start(directory);
                ApplicationContext old = node(broker);
                SlowBody slow = new SlowBody(old.getBean(Warehouse.class))) {
            Orders orders = old.getBean(Orders.class);
            orders.send(new OrderPlaced("slow", 1));
            eventually(() -> slow.in().shipped.of("slow") == 1);
            for (int number = 0; number < MESSAGES; number++) {
                orders.send(new OrderPlaced("order-" + number, 1));
            }
            CompletableFuture<Void> stopped = CompletableFuture.runAsync(old::close);
            eventually(() -> !isAccepting(old));
            try (ApplicationContext other = node(broker)) {
                slow.in().slow.countDown();
                stopped.get(1, TimeUnit.MINUTES);
                Warehouse warehouse = other.getBean(Warehouse.class);
                eventually(() -> handled(warehouse) == MESSAGES);
                assertEquals(0, handled(slow.in()));
                assertEquals(0, warehouse.shipped.of("slow"));
            }
        }
    }

    @Test
    void aBatchOfTheFirstPollIsTriedAgainWhileOneOfItsMessagesIsInProgressOnAnotherNode() throws Exception {
        try (KafkaBroker broker = KafkaBroker.start(directory);
                ApplicationContext first = node(broker);
                SlowBody slow = new SlowBody(first.getBean(Warehouse.class))) {
            CompletableFuture<Void> packing = CompletableFuture.runAsync(
                    () -> first.getBean(Parcels.class).pack(new OrderPlaced("slow", 1)));
            eventually(() -> slow.in().shipped.of("slow") == 1);
            LateOrders orders = first.getBean(LateOrders.class);
            orders.send(new OrderPlaced("slow", 1));
            orders.send(new OrderPlaced("after", 1));
            try (ApplicationContext second = node(broker, "late")) {
                eventually(() -> second.getBean(Refusals.class).seen.get() >= 2);
                slow.in().slow.countDown();
                packing.get(1, TimeUnit.MINUTES);
                Warehouse other = second.getBean(Warehouse.class);
                eventually(() -> other.shipped.of("after") == 1);
                assertEquals(0, other.shipped.of("slow"));
            }
        }
    }

    /** Sends orders before their listener is there. */
    @KafkaClient
    interface LateOrders {

        @Topic("late-orders")
        void send(OrderPlaced order);
    }

    /** Polls for so long that the first poll both gets its partition and returns its messages. */
    @Requires(env = "late")
    @KafkaListener(
            groupId = "late",
            batch = true,
            pollTimeout = "10s",
            offsetReset = OffsetReset.EARLIEST,
            offsetStrategy = OffsetStrategy.SYNC,
            errorStrategy = @ErrorStrategy(value = ErrorStrategyValue.RETRY_ON_ERROR, retryCount = Integer.MAX_VALUE))
    static class LateBatches extends OrderBatches {

        LateBatches(Parcels parcels) {
            super(parcels);
        }

        @Override
        @Topic("late-orders")
        void receive(ConsumerRecords<String, OrderPlaced> records, Consumer<?, ?> consumer) {
            super.receive(records, consumer);
        }
    }

    /** Whether the node still begins bodies. */
    private static boolean isAccepting(ApplicationContext node) {
        try {
            node.getBean(Parcels.class).pack(new OrderPlaced(UUID.randomUUID().toString(), 1));
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

    /** Counts the calls that were not run because another node has the key. */
    @Singleton
    static class Refusals implements OutcomeListener {

        private final AtomicInteger seen = new AtomicInteger();

        @Override
        public void onOutcome(Call call, Outcome outcome) {
            if (outcome.label().equals("in-progress")) {
                seen.incrementAndGet();
            }
        }
    }
}

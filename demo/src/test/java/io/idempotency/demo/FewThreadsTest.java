package io.idempotency.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.test.servers.PostgresServer;
import io.idempotency.test.servers.RedisServer;
import io.micronaut.context.ApplicationContext;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.scheduling.TaskExecutors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Two threads for all asynchronous calls of an application, on every store: if one were parked, there would be none. */
@Tag("thorough")
class FewThreadsTest {

    private static final int CALLS = 200;
    private static final Duration SOON = Duration.ofSeconds(60);

    private final String run = UUID.randomUUID().toString();

    static Stream<Arguments> stores() {
        PostgresServer postgres = PostgresServer.shared();
        return Stream.of(
                Arguments.of("memory", Map.of()),
                Arguments.of("jdbc", Map.of()),
                Arguments.of(
                        "jdbc",
                        Map.of(
                                "datasources.default.url", postgres.url(),
                                "datasources.default.username", postgres.user(),
                                "datasources.default.password", postgres.password())),
                Arguments.of("redis", Map.of("redis.uri", RedisServer.shared().uri())));
    }

    private static ApplicationContext application(String store, Map<String, Object> address) {
        Map<String, Object> properties = new HashMap<>(address);
        properties.put("idempotency.store", store);
        properties.put("micronaut.executors.blocking.type", "fixed");
        properties.put("micronaut.executors.blocking.n-threads", 2);
        return ApplicationContext.run(properties, "test");
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("stores")
    void hundredsOfBodiesAndWaitersAreUnderWayAtOnce(String store, Map<String, Object> address) {
        try (ApplicationContext context = application(store, address)) {
            Shipments shipments = context.getBean(Shipments.class);
            List<CompletableFuture<String>> answers = new ArrayList<>();
            calls(shipments, answers);
            await().atMost(SOON).until(() -> shipments.underWay.size() == CALLS);
            int threads = Thread.activeCount();
            calls(shipments, answers);

            assertThat(answers).hasSize(2 * CALLS).noneMatch(CompletableFuture::isDone);
            assertThat(Thread.activeCount()).isLessThan(threads + 20);
            shipments.underWay.forEach((id, body) -> body.complete("shipped " + id));
            for (int i = 0; i < answers.size(); i++) {
                assertThat(answers.get(i)).succeedsWithin(SOON).isEqualTo("shipped " + id(i % CALLS));
            }
        }
    }

    private void calls(Shipments shipments, List<CompletableFuture<String>> answers) {
        IntStream.range(0, CALLS)
                .mapToObj(this::id)
                .map(id -> answers.size() % 2 == 0
                        ? shipments.ship(id).toCompletableFuture()
                        : shipments.shipReactively(id).toFuture())
                .forEach(answers::add);
    }

    private String id(int number) {
        return run + "-" + number;
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("stores")
    void aLeaseIsRenewedWhileEveryThreadOfTheApplicationIsBusy(String store, Map<String, Object> address) {
        try (ApplicationContext context = application(store, address)) {
            Shipments shipments = context.getBean(Shipments.class);
            IdempotencyStore records = context.getBean(IdempotencyStore.class, Qualifiers.byName(store));
            ExecutorService blocking =
                    context.getBean(ExecutorService.class, Qualifiers.byName(TaskExecutors.BLOCKING));
            CompletableFuture<String> one = shipBlocking(shipments, id(1), blocking);
            CompletableFuture<String> two = shipBlocking(shipments, id(2), blocking);
            await().atMost(SOON).until(() -> shipments.underWay.size() == 2);
            await().atMost(SOON).until(() -> {
                StoredRecord record = records.find(RecordId.of("ship-blocking", null, null, id(1)))
                        .orElseThrow();
                return record.state() == RecordState.IN_PROGRESS
                        && record.leaseUntil().isAfter(record.claimedAt().plusMillis(3500));
            });
            shipments.unblock.countDown();
            shipments.underWay.values().forEach(body -> body.complete("shipped"));
            assertThat(one).succeedsWithin(SOON).isEqualTo("shipped");
            assertThat(two).succeedsWithin(SOON).isEqualTo("shipped");
        }
    }

    /** A body may start on the thread of its caller, where the store has answered by then. */
    private static CompletableFuture<String> shipBlocking(Shipments shipments, String id, ExecutorService caller) {
        return CompletableFuture.supplyAsync(() -> shipments.shipBlocking(id), caller)
                .thenCompose(Function.identity());
    }
}

package io.idempotency.runtime.purge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Expired records go by themselves, in batches; live ones stay. */
class PurgeJobTest {

    private static final Map<String, Object> PROPERTIES = Map.of(
            "test.purge",
            true,
            "idempotency.store",
            "aging",
            "idempotency.purge.interval",
            "20ms",
            "idempotency.purge.batch-size",
            10);

    /** A store whose clock a test moves, and a listener. */
    @Factory
    @Requires(property = "test.purge")
    static class Aging {
        final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
        final List<Integer> batches = new CopyOnWriteArrayList<>();

        @Singleton
        @Named("aging")
        MemoryIdempotencyStore store() {
            return new MemoryIdempotencyStore(now::get);
        }

        @Singleton
        PurgeListener listener() {
            return (store, records) -> {
                batches.add(records);
                throw new IllegalStateException("what a listener throws ends no run");
            };
        }
    }

    private static void claim(IdempotencyStore store, String key, Duration retention) {
        RecordId id = RecordId.of("purge", null, null, key);
        store.claim(new Claim(id, "purge", "1:x", key, Duration.ofMillis(10), retention, false));
    }

    @Test
    void expiredRecordsAreRemovedInBatchesUntilNoneIsLeftAndLiveOnesStay() {
        try (ApplicationContext context = ApplicationContext.run(PROPERTIES)) {
            MemoryIdempotencyStore store = context.getBean(
                    MemoryIdempotencyStore.class, io.micronaut.inject.qualifiers.Qualifiers.byName("aging"));
            Aging aging = context.getBean(Aging.class);
            for (int i = 0; i < 25; i++) {
                claim(store, "expires-" + i, Duration.ofHours(1));
            }
            claim(store, "stays", Duration.ofHours(3));
            aging.now.updateAndGet(now -> now.plus(Duration.ofHours(2)));

            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> aging.batches.stream().mapToInt(it -> it).sum() == 25);
            assertThat(aging.batches).containsExactly(10, 10, 5);
            assertThat(store.find(RecordId.of("purge", null, null, "stays"))
                            .toCompletableFuture()
                            .join())
                    .isPresent();
        }
    }

    @Test
    void aWrongIntervalStopsTheApplicationAndIsNamed() {
        assertThatThrownBy(() -> ApplicationContext.run(Map.of("idempotency.purge.batch-size", 0))
                        .close())
                .hasStackTraceContaining("idempotency.purge.batch-size");
    }
}

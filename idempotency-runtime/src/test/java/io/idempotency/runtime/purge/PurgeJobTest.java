package io.idempotency.runtime.purge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ForwardingStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.inject.qualifiers.Qualifiers;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Expired records go by themselves, in batches; live ones stay. */
class PurgeJobTest {

    private static final Map<String, Object> PROPERTIES = Map.of(
            "test.purge",
            true,
            "idempotency.store",
            "aged",
            "idempotency.purge.interval",
            "20ms",
            "idempotency.purge.batch-size",
            10);

    /** A store whose records are as old as they get before the first run begins, and a listener. */
    @Factory
    @Requires(property = "test.purge")
    static class Aged {
        final List<Integer> batches = new CopyOnWriteArrayList<>();

        @Singleton
        @Named("aged")
        MemoryIdempotencyStore store() {
            AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
            MemoryIdempotencyStore store = new MemoryIdempotencyStore(now::get);
            for (int i = 0; i < 25; i++) {
                claim(store, "expires-" + i, Duration.ofHours(1));
            }
            claim(store, "stays", Duration.ofHours(3));
            now.updateAndGet(then -> then.plus(Duration.ofHours(2)));
            return store;
        }

        @Singleton
        PurgeListener listener() {
            return (store, took, records) -> {
                if (records > 0) {
                    batches.add(records);
                }
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
            Aged aged = context.getBean(Aged.class);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> aged.batches.stream().mapToInt(it -> it).sum() == 25);
            assertThat(aged.batches).containsExactly(10, 10, 5);
            MemoryIdempotencyStore store = context.getBean(MemoryIdempotencyStore.class, Qualifiers.byName("aged"));
            assertThat(store.find(RecordId.of("purge", null, null, "stays"))).isPresent();
        }
    }

    /** A store of which every batch is full. */
    @Factory
    @Requires(property = "test.purge-without-end")
    static class Endless {
        final CountDownLatch purged = new CountDownLatch(2);

        @Singleton
        @Named("endless")
        IdempotencyStore store() {
            return new ForwardingStore(new MemoryIdempotencyStore()) {
                @Override
                public int purge(int limit) {
                    purged.countDown();
                    return limit;
                }
            };
        }
    }

    @Test
    void aRunEndsWithThePauseInWhichTheApplicationStops() throws InterruptedException {
        Map<String, Object> properties = new HashMap<>(PROPERTIES);
        properties.put("test.purge-without-end", true);
        properties.put("idempotency.store", "endless");
        try (ApplicationContext context = ApplicationContext.run(properties)) {
            assertThat(context.getBean(Endless.class).purged.await(20, TimeUnit.SECONDS))
                    .isTrue();
        }
        Awaitility.await()
                .until(() -> Thread.getAllStackTraces().values().stream()
                        .flatMap(Stream::of)
                        .noneMatch(frame -> frame.getClassName().equals(PurgeJob.class.getName())));
    }

    @Test
    void aWrongIntervalStopsTheApplicationAndIsNamed() {
        assertThatThrownBy(() -> ApplicationContext.run(Map.of("idempotency.purge.batch-size", 0))
                        .close())
                .hasStackTraceContaining("idempotency.purge.batch-size");
    }

    @Test
    void aCronExpressionThatIsNoneIsRefusedWithItsProperty() {
        assertThatThrownBy(() -> ApplicationContext.run(Map.of("idempotency.purge.cron", "daily"))
                        .close())
                .hasStackTraceContaining("idempotency.purge.cron: 'daily' is not a cron expression");
    }
}

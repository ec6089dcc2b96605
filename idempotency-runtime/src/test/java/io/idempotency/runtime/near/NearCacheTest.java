package io.idempotency.runtime.near;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotencyKey;
import io.idempotency.IdempotencyKeyReusedException;
import io.idempotency.IdempotentOperation;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.test.FaultyStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.inject.qualifiers.Qualifiers;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An application with {@code idempotency.near-cache.enabled}. */
class NearCacheTest {

    @Factory
    @Requires(property = "test.near")
    static class Beans {
        @Singleton
        @Named("breakable")
        IdempotencyStore breakable() {
            return new FaultyStore(new MemoryIdempotencyStore());
        }

        @Singleton
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }
    }

    @Singleton
    @Requires(property = "idempotency.store")
    static class Charges {
        final AtomicInteger bodies = new AtomicInteger();

        @IdempotentOperation("charge-near")
        public String charge(@IdempotencyKey String id, int amount) {
            return id + " " + amount + " " + bodies.incrementAndGet();
        }

        @IdempotentOperation("charge-near-later")
        public CompletableFuture<String> later(@IdempotencyKey String id) {
            return CompletableFuture.completedFuture(id + " " + bodies.incrementAndGet());
        }

        @IdempotentOperation(value = "charge-near-waiting", whenInProgress = WhenInProgress.WAIT)
        public String waiting(@IdempotencyKey String id) {
            return id + " " + bodies.incrementAndGet();
        }
    }

    private ApplicationContext context;
    private Charges charges;
    private final AtomicInteger asked = new AtomicInteger();

    @BeforeEach
    void start() {
        context = ApplicationContext.run(Map.of(
                "test.near",
                true,
                "idempotency.store",
                "breakable",
                "idempotency.near-cache.enabled",
                true,
                "idempotency.near-cache.max-weight",
                "1MB"));
        charges = context.getBean(Charges.class);
        FaultyStore store = (FaultyStore) context.getBean(IdempotencyStore.class, Qualifiers.byName("breakable"));
        store.before(FaultyStore.Call.CLAIM, asked::incrementAndGet);
    }

    @AfterEach
    void stop() {
        context.close();
    }

    @Test
    void replaysAreAnsweredFromMemoryAndMetered() {
        for (int i = 0; i < 10; i++) {
            assertThat(charges.charge("k", 1)).isEqualTo("k 1 1");
        }
        assertThat(asked).hasValue(2);
        assertThatThrownBy(() -> charges.charge("k", 2)).isInstanceOf(IdempotencyKeyReusedException.class);
        assertThat(asked).hasValue(2);
        assertThat(context.getBean(MeterRegistry.class)
                        .counter("idempotency.near.cache.hits", "store", "memory")
                        .count())
                .isEqualTo(9);
    }

    @Test
    void duplicatesThatWaitAreAnsweredFromMemoryToo() {
        for (int i = 0; i < 10; i++) {
            assertThat(charges.waiting("k")).isEqualTo("k 1");
        }
        assertThat(asked).hasValue(2);
    }

    @Test
    void asynchronousReplaysAreCompleteAtOnce() {
        charges.later("k").join();
        charges.later("k").join();
        assertThat(charges.later("k")).isCompletedWithValue("k 1");
        assertThat(asked).hasValue(2);
    }

    /** Fingerprints of two secrets: the record's own is compared in its own form. */
    @Test
    void aRecordOfAnotherFormOfFingerprintIsAnsweredFromMemoryToo() {
        FaultyStore shared = new FaultyStore(new MemoryIdempotencyStore());
        try (ApplicationContext before =
                        node(shared, Map.of("idempotency.fingerprint.secret", "the first secret of all"));
                ApplicationContext now = node(
                        shared,
                        Map.of(
                                "idempotency.near-cache.enabled",
                                true,
                                "idempotency.fingerprint.secret",
                                "the second secret of all",
                                "idempotency.fingerprint.other-secrets",
                                List.of("the first secret of all")))) {
            before.getBean(Charges.class).charge("k", 1);
            shared.before(FaultyStore.Call.CLAIM, asked::incrementAndGet);
            Charges later = now.getBean(Charges.class);
            assertThat(later.charge("k", 1)).isEqualTo("k 1 1");
            assertThat(later.charge("k", 1)).isEqualTo("k 1 1");
            assertThatThrownBy(() -> later.charge("k", 2)).isInstanceOf(IdempotencyKeyReusedException.class);
            assertThat(asked).hasValue(1);
        }
    }

    private static ApplicationContext node(IdempotencyStore shared, Map<String, Object> settings) {
        ApplicationContext node = ApplicationContext.builder()
                .properties(Map.of("idempotency.store", "shared"))
                .properties(settings)
                .build();
        node.registerSingleton(IdempotencyStore.class, shared, Qualifiers.byName("shared"));
        return node.start();
    }

    @Test
    void limitThatCannotBeMeantStopsTheStart() {
        assertThatThrownBy(() -> ApplicationContext.run(Map.of(
                        "test.near",
                        true,
                        "idempotency.store",
                        "breakable",
                        "idempotency.near-cache.enabled",
                        true,
                        "idempotency.near-cache.time-limit",
                        "0s")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("idempotency.near-cache.time-limit must be more than zero");
    }
}

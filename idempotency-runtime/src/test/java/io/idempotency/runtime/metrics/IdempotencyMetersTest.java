package io.idempotency.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.idempotency.IdempotentOperation;
import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.purge.PurgeListener;
import io.idempotency.runtime.store.ForwardingStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.StoreHealth;
import io.idempotency.test.FaultyStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.inject.qualifiers.Qualifiers;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IdempotencyMetersTest {

    /** A registry, and a store that can be broken. */
    @Factory
    @Requires(property = "test.meters")
    static class Beans {
        volatile boolean takesClaims = true;

        @Singleton
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }

        @Singleton
        @Named("breakable")
        IdempotencyStore breakable() {
            return new FaultyStore(new ForwardingStore(new MemoryIdempotencyStore(InstantSource.system())) {
                @Override
                public StoreHealth health() {
                    return new StoreHealth(takesClaims, Map.of());
                }
            });
        }
    }

    @Singleton
    @Requires(property = "test.meters")
    static class Mailer {
        final CompletableFuture<Void> slow = new CompletableFuture<>();

        @IdempotentOperation(value = "send-mail", key = "id")
        public void send(String id, boolean fail) {
            if (fail) {
                throw new IllegalStateException("no such address");
            }
        }

        @IdempotentOperation(value = "lose-mail", key = "id")
        public void lose(String id) throws TimeoutException {
            throw new TimeoutException("sent or not");
        }

        @IdempotentOperation(value = "send-slowly", key = "id")
        public CompletableFuture<Void> slowly(String id) {
            return slow;
        }

        @IdempotentOperation(value = "send-keyless", key = "id", keyRequired = false)
        public void keyless(@jakarta.annotation.Nullable String id) {}
    }

    private ApplicationContext context;
    private MeterRegistry registry;
    private Mailer mailer;
    private FaultyStore store;

    @BeforeEach
    void start() {
        start(Map.of());
    }

    private void start(Map<String, Object> more) {
        context = ApplicationContext.builder()
                .properties(Map.of(
                        "test.meters", true,
                        "idempotency.store", "breakable",
                        "idempotency.metrics.interval", "20ms"))
                .properties(more)
                .start();
        registry = context.getBean(MeterRegistry.class);
        mailer = context.getBean(Mailer.class);
        store = (FaultyStore) context.getBean(IdempotencyStore.class, Qualifiers.byName("breakable"));
    }

    @AfterEach
    void stop() {
        context.close();
    }

    private Timer calls(String operation, String outcome) {
        return registry.timer("idempotency.calls", "operation", operation, "store", "memory", "outcome", outcome);
    }

    private double gauge(String name) {
        var gauge = registry.find(name).gauge();
        return gauge == null ? Double.NaN : gauge.value();
    }

    private void becomes(String gauge, double value) {
        await().untilAsserted(() -> assertThat(gauge(gauge)).as(gauge).isEqualTo(value));
    }

    @Test
    void callsAreCountedAndTimedByWhatTheyComeTo() {
        mailer.send("1", false);
        mailer.send("1", false);
        mailer.send("1", false);
        assertThatThrownBy(() -> mailer.send("1", true)).isNotNull();
        assertThatThrownBy(() -> mailer.send("2", true)).isNotNull();
        assertThatThrownBy(() -> mailer.send("2", true)).isNotNull();
        mailer.keyless(null);
        assertThat(calls("send-mail", "executed").count()).isEqualTo(1);
        assertThat(calls("send-mail", "executed").totalTime(java.util.concurrent.TimeUnit.NANOSECONDS))
                .isPositive();
        assertThat(calls("send-mail", "replayed").count()).isEqualTo(2);
        assertThat(calls("send-mail", "key-reused").count()).isEqualTo(1);
        assertThat(calls("send-mail", "failed-final").count()).isEqualTo(1);
        assertThat(calls("send-mail", "previous-attempt-failed").count()).isEqualTo(1);
        assertThat(registry.counter("idempotency.calls.unprotected", "operation", "send-keyless")
                        .count())
                .isEqualTo(1);
    }

    @Test
    void whatIsInDoubtAndHowMuchThereIsComesFromTheStoreWhoeverPutItThere() {
        becomes("idempotency.store.up", 1);
        becomes("idempotency.records", 0);
        mailer.send("1", false);
        assertThat(catchThrowable(() -> mailer.lose("2"))).isNotNull();
        becomes("idempotency.records", 2);
        becomes("idempotency.records.in.doubt", 1);
    }

    @Test
    void aStoreThatDoesNotAnswerIsDownAndWhatItHasIsNotKnown() {
        becomes("idempotency.store.up", 1);
        store.refuse(FaultyStore.Call.LIST);
        becomes("idempotency.store.up", 0);
        assertThat(gauge("idempotency.records.in.doubt")).isNaN();
        store.mend();
        becomes("idempotency.store.up", 1);
    }

    @Test
    void aStoreThatAnswersAndTakesNoClaimsIsDownAndWhatItHasIsKnown() {
        becomes("idempotency.store.up", 1);
        assertThat(catchThrowable(() -> mailer.lose("1"))).isNotNull();
        context.getBean(Beans.class).takesClaims = false;
        becomes("idempotency.store.up", 0);
        becomes("idempotency.records.in.doubt", 1);
    }

    @Test
    void whatRunsAndWhatTheStoreHasStillToBeToldAreShown() {
        CompletableFuture<Void> running = mailer.slowly("1");
        becomes("idempotency.calls.active", 1);
        store.refuse(FaultyStore.Call.COMPLETE);
        mailer.slow.complete(null);
        becomes("idempotency.retries.queued", 1);
        assertThat(gauge("idempotency.retries.memory")).isNotNaN();
        running.join();
        assertThat(registry.counter("idempotency.outcomes.degraded", "operation", "send-slowly", "store", "memory")
                        .count())
                .isEqualTo(1);
        store.mend();
        becomes("idempotency.retries.queued", 0);
        becomes("idempotency.calls.active", 0);
    }

    @Test
    void countersAreThereBeforeTheirFirstEvent() {
        for (String counter : new String[] {
            "idempotency.leases.lost",
            "idempotency.leases.renewed.late",
            "idempotency.outcomes.stale",
            "idempotency.outcomes.degraded"
        }) {
            await().untilAsserted(() -> assertThat(registry.find(counter)
                            .tags("operation", "send-mail", "store", "memory")
                            .counter())
                    .as(counter)
                    .isNotNull());
        }
    }

    @Test
    void aRunOfThePurgeIsTimedAndItsRecordsCounted() {
        stop();
        start(Map.of("idempotency.purge.interval", "20ms"));
        await().until(() ->
                registry.timer("idempotency.purge", "store", "memory").count() > 0);
        context.getBean(PurgeListener.class).onBatch("memory", Duration.ZERO, 7);
        assertThat(registry.counter("idempotency.purged", "store", "memory").count())
                .isEqualTo(7);
    }

    @Test
    void theStoresAreAskedWhenTheApplicationHasStartedAndNotOneIntervalLater() {
        stop();
        start(Map.of("idempotency.metrics.interval", "1h"));
        becomes("idempotency.store.up", 1);
    }

    @Test
    void nothingIsMeasuredWhenItIsSwitchedOff() {
        stop();
        start(Map.of("idempotency.metrics.enabled", "false"));
        mailer.send("1", false);
        assertThat(registry.getMeters()).isEmpty();
    }
}

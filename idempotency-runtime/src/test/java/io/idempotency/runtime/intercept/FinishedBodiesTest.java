package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.IdempotentOperation;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.engine.IdempotencyEngine;
import io.idempotency.runtime.engine.StandingTime;
import io.idempotency.runtime.store.ForwardingStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoreDecorator;
import io.idempotency.runtime.store.StoredResult;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Bodies that end while every thread of the application waits, and whose outcomes the store is slow to take. */
@MicronautTest
@Property(name = "test.slow-outcomes", value = "true")
@Property(name = "test.standing-time", value = "true")
@Property(name = "idempotency.store", value = "memory")
@Property(name = "micronaut.executors.blocking.type", value = "fixed")
@Property(name = "micronaut.executors.blocking.n-threads", value = "2")
class FinishedBodiesTest {

    private static final int THREADS = 2;
    private static final Duration THIRD_OF_A_LEASE = Duration.ofSeconds(10);

    @Inject
    Calls calls;

    @Inject
    SlowOutcomes store;

    @Inject
    StandingTime time;

    @Inject
    IdempotencyEngine engine;

    @AfterEach
    void goOn() {
        store.takes.countDown();
        calls.running.complete("done");
    }

    /** A store that takes no results until the test says so. */
    @Singleton
    @Requires(property = "test.slow-outcomes")
    static class SlowOutcomes implements StoreDecorator {

        final CountDownLatch takes = new CountDownLatch(1);
        final AtomicInteger renewed = new AtomicInteger();

        @Override
        public IdempotencyStore decorate(IdempotencyStore store) {
            return new ForwardingStore(store) {
                @Override
                public Settled complete(Ownership ownership, StoredResult result, Duration retention) {
                    try {
                        takes.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    return super.complete(ownership, result, retention);
                }

                @Override
                public List<Settled> renew(List<Renewal> renewals) {
                    renewed.incrementAndGet();
                    return super.renew(renewals);
                }
            };
        }
    }

    /** Their bodies take as long as the test likes. */
    @Singleton
    @Requires(property = "test.slow-outcomes")
    static class Calls {

        final CompletableFuture<String> running = new CompletableFuture<>();
        final CompletableFuture<String> ending = new CompletableFuture<>();
        final AtomicInteger bodies = new AtomicInteger();

        @IdempotentOperation(value = "runs-on", key = "id", lease = "30s")
        CompletionStage<String> runsOn(String id) {
            bodies.incrementAndGet();
            return running;
        }

        @IdempotentOperation(
                value = "ends",
                key = "id",
                lease = "30s",
                whenInProgress = WhenInProgress.WAIT,
                waitTimeout = "10m")
        CompletionStage<String> ends(String id) {
            bodies.incrementAndGet();
            return ending;
        }
    }

    @Test
    void theLeasesOfOtherBodiesAreRenewed() {
        calls.runsOn("k");
        List<CompletionStage<String>> answers = new ArrayList<>(ends());
        await().until(() -> calls.bodies.get() == THREADS + 1);
        answers.addAll(ends());
        await().until(() -> engine.waiting() == THREADS);
        calls.ending.complete("done");
        time.skip(Duration.ofSeconds(1)); // now the library's own threads record the outcomes
        int before = store.renewed.get();
        time.skip(THIRD_OF_A_LEASE);
        await().until(() -> store.renewed.get() > before);

        assertThat(answers).noneMatch(answer -> answer.toCompletableFuture().isDone());
        store.takes.countDown();
        assertThat(answers)
                .allSatisfy(answer -> assertThat(answer.toCompletableFuture())
                        .succeedsWithin(Duration.ofSeconds(30))
                        .isEqualTo("done"));
        assertThat(calls.bodies).hasValue(THREADS + 1);
    }

    private List<CompletionStage<String>> ends() {
        return List.of(calls.ends("1"), calls.ends("2"));
    }
}

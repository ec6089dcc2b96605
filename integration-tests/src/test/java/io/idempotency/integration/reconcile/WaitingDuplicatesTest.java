package io.idempotency.integration.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.IdempotencyContext;
import io.idempotency.IdempotentOperation;
import io.idempotency.OnAbandoned;
import io.idempotency.Reconciles;
import io.idempotency.Reconciliation;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.engine.IdempotencyEngine;
import io.idempotency.runtime.reconcile.AbandonedReconciler;
import io.idempotency.runtime.reconcile.ReconcileListener;
import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.ForwardingStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoreDecorator;
import io.idempotency.runtime.store.StoredRecord;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Duplicates wait while a run is looked for in the background; the look itself waits for none. */
@MicronautTest(startApplication = false)
@Property(name = "test.waiting-duplicates", value = "true")
@Property(name = "idempotency.store", value = "memory")
@Property(name = "redis.enabled", value = "false")
@Property(name = "datasources.default.url", value = "jdbc:h2:mem:waiting-duplicates")
@Property(name = "idempotency.reconcile.interval", value = "20ms")
class WaitingDuplicatesTest {

    @Inject
    Payments payments;

    @Inject
    Search search;

    @Inject
    Held held;

    @Inject
    IdempotencyEngine engine;

    /** An outcome that is not known yet, and a place to wait for it. */
    private static final class Question {
        final CountDownLatch asked = new CountDownLatch(1);
        final CountDownLatch known = new CountDownLatch(1);

        Reconciliation<String> answer() {
            asked.countDown();
            await().until(() -> known.getCount() == 0);
            return Reconciliation.done("x");
        }
    }

    /** The operation, whose duplicates wait. */
    @Singleton
    @Requires(property = "test.waiting-duplicates")
    static class Payments {
        volatile Question question = new Question();

        @IdempotentOperation(
                value = "waited-search",
                key = "key",
                onAbandoned = OnAbandoned.RECONCILE,
                whenInProgress = WhenInProgress.WAIT,
                waitTimeout = "10m")
        String pay(String key) throws TimeoutException {
            throw new TimeoutException();
        }

        /** Asked by calls only. */
        @Reconciles("waited-search")
        Reconciliation<String> find(String key) {
            return question.answer();
        }
    }

    /** Asked in the background. */
    @Singleton
    @Requires(property = "test.waiting-duplicates")
    static class Search implements AbandonedReconciler, ReconcileListener {
        volatile Question question = new Question();
        final List<Answer> answers = new CopyOnWriteArrayList<>();

        @Override
        public String operation() {
            return "waited-search";
        }

        @Override
        public Reconciliation<?> reconcile(IdempotencyContext context) {
            return question.answer();
        }

        @Override
        public void onReconciled(String operation, Answer answer) {
            answers.add(answer);
        }
    }

    /** Does once what a test says after the background has read a record, or before it settles one. */
    @Singleton
    @Requires(property = "test.waiting-duplicates")
    static class Held implements StoreDecorator {
        final AtomicReference<Runnable> afterFind = new AtomicReference<>();
        final AtomicReference<Runnable> beforeResolve = new AtomicReference<>();

        private static void once(AtomicReference<Runnable> action) {
            Optional.ofNullable(action.getAndSet(null)).ifPresent(Runnable::run);
        }

        @Override
        public IdempotencyStore decorate(IdempotencyStore store) {
            return new ForwardingStore(store) {
                @Override
                public Optional<StoredRecord> find(RecordId id) {
                    Optional<StoredRecord> found = super.find(id);
                    once(afterFind);
                    return found;
                }

                @Override
                public Settled resolve(RecordId id, long fence, Resolution resolution, AuditNote note) {
                    once(beforeResolve);
                    return super.resolve(id, fence, resolution, note);
                }
            };
        }
    }

    @BeforeEach
    void ask() {
        payments.question = new Question();
        search.question = new Question();
        search.answers.clear();
    }

    private CompletableFuture<String> duplicate(String key) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return payments.pay(key);
            } catch (TimeoutException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** The answer is recorded in two steps, and between them the record is in doubt. */
    @Test
    void aDuplicateThatWaitedIsNotToldThatTheOutcomeIsUnknownWhichHasJustBeenFound() throws Exception {
        assertThatThrownBy(() -> payments.pay("a")).isInstanceOf(TimeoutException.class);
        search.question.asked.await();
        payments.question.known.countDown();
        CompletableFuture<String> duplicate = duplicate("a");
        await().until(() -> engine.waiting() == 1);
        held.beforeResolve.set(() -> await().until(duplicate::isDone));
        search.question.known.countDown();
        assertThat(duplicate.join()).isEqualTo("x");
        await().until(() -> !search.answers.isEmpty()); // or the next test would take it for one of its own
    }

    @Test
    void aKeyThatIsBusyDoesNotHoldUpTheSweep() throws Exception {
        search.question.known.countDown();
        AtomicReference<CompletableFuture<String>> busy = new AtomicReference<>();
        held.afterFind.set(() -> {
            busy.set(duplicate("b"));
            await().until(() -> payments.question.asked.getCount() == 0);
        });
        assertThatThrownBy(() -> payments.pay("b")).isInstanceOf(TimeoutException.class);
        await().until(() -> search.answers.contains(ReconcileListener.Answer.PASSED_OVER));
        payments.question.known.countDown();
        assertThat(busy.get().join()).isEqualTo("x");
    }
}

package io.idempotency.runtime.engine;

import static io.idempotency.runtime.engine.Engine.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotencyContext;
import io.idempotency.IdempotencyException.Executed;
import io.idempotency.IdempotencyException.Retry;
import io.idempotency.IdempotencyKeyReusedException;
import io.idempotency.OnAbandoned;
import io.idempotency.OperationInProgressException;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.Reconciliation;
import io.idempotency.Refusal;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.Outcome.Recorded;
import io.idempotency.runtime.call.NewKeyAdmission;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.test.FaultyStore.Call;
import io.idempotency.test.logs.LogLines;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Leases, late owners, take-over and reconciling. */
class OwnersThatVanishTest {

    private final Engine engine = new Engine();

    /** An owner that claims and then neither renews nor answers; what it gives the future is its late answer. */
    private CompletionStage<Outcome> vanishingOwner(CompletableFuture<Object> answer) {
        engine.store.refuse(Call.RENEW);
        CompletionStage<Outcome> outcome = engine.callAsync("k", context -> answer);
        engine.time.pass(Engine.LEASE.plusMillis(1));
        return outcome;
    }

    @Test
    void aBodyThatTakesLongerThanItsLeaseKeepsItByRenewal() {
        CompletableFuture<Object> answer = new CompletableFuture<>();
        CompletionStage<Outcome> outcome = engine.callAsync("k", context -> answer);
        engine.time.pass(Engine.LEASE.multipliedBy(10));
        assertThat(engine.record("k").orElseThrow().state()).isEqualTo(RecordState.IN_PROGRESS);

        answer.complete("late but owned");
        assertThat(outcome.toCompletableFuture().join())
                .isEqualTo(new Outcome.Executed("late but owned", Recorded.YES));
    }

    @Test
    void renewalStopsWithTheBody() {
        engine.call("k", context -> "done");
        engine.nothingIsLeft();
    }

    @Test
    void afterTheLeaseTheOutcomeIsUnknownAndTheBodyIsNotRunAgain() {
        engine.store.crashNextOwner();
        engine.callAsync("k", context -> new CompletableFuture<>());
        engine.time.pass(Engine.LEASE.plusMillis(1));
        refusal(engine.call("k", context -> "second"), OutcomeUnknownException.class);
        engine.time.pass(Duration.ofDays(29));
        refusal(engine.call("k", context -> "second"), OutcomeUnknownException.class);
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void aLateOwnerRecordsItsResultIfNobodyTookOver() {
        CompletableFuture<Object> answer = new CompletableFuture<>();
        CompletionStage<Outcome> outcome = vanishingOwner(answer);
        refusal(engine.call("k", context -> "second"), OutcomeUnknownException.class);

        answer.complete("late");
        assertThat(outcome.toCompletableFuture().join()).isEqualTo(new Outcome.Executed("late", Recorded.YES));
        assertThat(engine.call("k", context -> "second")).isEqualTo(new Outcome.Replayed("late"));
    }

    @Test
    void aStaleOwnerNeverOverwritesTheOneThatTookOverAndGetsTheRecordedOutcome() {
        engine.onAbandoned = OnAbandoned.TAKE_OVER;
        CompletableFuture<Object> answer = new CompletableFuture<>();
        CompletionStage<Outcome> stale = vanishingOwner(answer);
        long[] fences = new long[2];
        fences[0] = engine.record("k").orElseThrow().fence();

        Outcome takenOver = engine.call("k", context -> {
            fences[1] = context.fence();
            assertThat(context.attempt()).isEqualTo(2);
            return "second";
        });
        assertThat(takenOver).isEqualTo(new Outcome.Executed("second", Recorded.YES));
        assertThat(fences[1]).isGreaterThan(fences[0]);

        answer.complete("stale");
        assertThat(stale.toCompletableFuture().join()).isEqualTo(new Outcome.Replayed("second"));
        assertThat(engine.call("k", context -> "third")).isEqualTo(new Outcome.Replayed("second"));
        assertThat(engine.bodies).hasValue(2);
    }

    @Test
    void aRunningBodyLearnsThatItsLeaseIsLost() {
        engine.onAbandoned = OnAbandoned.TAKE_OVER;
        CompletableFuture<IdempotencyContext> running = new CompletableFuture<>();
        engine.store.refuse(Call.RENEW);
        engine.callAsync("k", context -> {
            running.complete(context);
            return new CompletableFuture<>();
        });
        engine.time.pass(Engine.LEASE.plusMillis(1));
        assertThat(running.join().remainingLease()).isZero();
        assertThat(running.join().leaseLost()).isFalse();

        engine.call("k", context -> "second");
        engine.store.mend();
        engine.time.pass(Engine.LEASE);
        assertThat(running.join().leaseLost()).isTrue();
    }

    @Test
    void aRunningBodyIsToldOnceWhenItsLeaseIsLost() {
        engine.onAbandoned = OnAbandoned.TAKE_OVER;
        List<String> told = new ArrayList<>();
        engine.store.refuse(Call.RENEW);
        CompletableFuture<IdempotencyContext> running = new CompletableFuture<>();
        engine.callAsync("k", context -> {
            context.onLeaseLost(() -> {
                told.add("early");
                throw new IllegalStateException("ignored");
            });
            running.complete(context);
            return new CompletableFuture<>();
        });
        engine.time.pass(Engine.LEASE.plusMillis(1));
        engine.call("k", context -> "second");
        engine.store.mend();
        assertThat(told).as("its own JVM knows at once who took over").containsExactly("early");
        engine.time.pass(Engine.LEASE.multipliedBy(3));
        running.join().onLeaseLost(() -> told.add("late"));
        assertThat(told).containsExactly("early", "late");
    }

    /** The body itself may hold the last thread, and wait to be interrupted. */
    @Test
    void aRunningBodyIsToldOfItsLossOnceAlthoughNoThreadOfTheExecutorIsFree() {
        AtomicBoolean full = new AtomicBoolean();
        Queue<Runnable> queued = new ArrayDeque<>();
        List<String> told = new ArrayList<>();
        engine.executorThatIsFullWhile(full::get, queued).executeAsync(engine.invocation("k", "arguments", context -> {
            context.onLeaseLost(() -> told.add("lost"));
            return new CompletableFuture<>();
        }));
        full.set(true);
        StoredRecord record = engine.record("k").orElseThrow();
        engine.memory.doubt(
                new Ownership(record.id(), record.owner(), record.fence()), "put in doubt", Engine.RETENTION);
        engine.time.pass(Engine.LEASE.dividedBy(3).plusMillis(100));
        assertThat(queued).as("what the executor has not run").hasSize(1);
        assertThat(told).containsExactly("lost");
        queued.forEach(Runnable::run);
        assertThat(told).hasSize(1);
    }

    @Test
    void theRemainingLeaseIsCountedFromBeforeTheClaimWasSentAndRisesWithEachRenewal() {
        List<Duration> remaining = new ArrayList<>();
        engine.store.before(Call.CLAIM, () -> engine.time.pass(Duration.ofSeconds(2)));
        CompletableFuture<IdempotencyContext> running = new CompletableFuture<>();
        engine.callAsync("k", context -> {
            running.complete(context);
            return new CompletableFuture<>();
        });
        engine.time.pass(Duration.ofSeconds(2));
        remaining.add(running.join().remainingLease());
        engine.time.pass(Duration.ofSeconds(9));
        remaining.add(running.join().remainingLease());
        engine.time.pass(Duration.ofSeconds(1));
        remaining.add(running.join().remainingLease());
        assertThat(remaining)
                .containsExactly(Engine.LEASE.minusSeconds(2), Engine.LEASE.minusSeconds(11), Engine.LEASE);
    }

    @Test
    void aStaleOwnersFailureDoesNotReplaceTheRecordedOutcome() {
        engine.onAbandoned = OnAbandoned.TAKE_OVER;
        CompletableFuture<Object> answer = new CompletableFuture<>();
        CompletionStage<Outcome> stale = vanishingOwner(answer);
        engine.call("k", context -> "second");

        answer.completeExceptionally(new IllegalStateException("duplicate booking"));
        assertThat(stale.toCompletableFuture().join()).isEqualTo(new Outcome.Replayed("second"));
        assertThat(engine.call("k", context -> "third")).isEqualTo(new Outcome.Replayed("second"));
    }

    @Test
    void aStaleOwnersFailureIsNotLostWhileNothingIsRecorded() {
        engine.onAbandoned = OnAbandoned.TAKE_OVER;
        engine.declaredEffects = Map.of(IllegalStateException.class, Effect.NONE);
        CompletableFuture<Object> answer = new CompletableFuture<>();
        CompletionStage<Outcome> stale = vanishingOwner(answer);
        engine.store.mend();
        engine.callAsync("k", context -> new CompletableFuture<>());

        IllegalStateException failure = new IllegalStateException("nothing was sent");
        answer.completeExceptionally(failure);
        assertThat(refusal(stale.toCompletableFuture().join(), OperationInProgressException.class))
                .satisfies(refused -> assertThat(refused.getSuppressed()).containsExactly(failure));
        assertThat(engine.record("k").orElseThrow().attempt()).isEqualTo(2);
    }

    static List<Engine.Body> bodiesWithoutEffect() {
        return List.of(
                context -> {
                    context.noEffect();
                    return "declined";
                },
                context -> {
                    throw new IllegalStateException("declined");
                });
    }

    /** That one attempt had no effect says nothing about the one before. */
    @ParameterizedTest
    @MethodSource("bodiesWithoutEffect")
    void aTakeOverWithoutEffectDoesNotFreeTheKey(Engine.Body withoutEffect) {
        engine.onAbandoned = OnAbandoned.TAKE_OVER;
        engine.declaredEffects = Map.of(IllegalStateException.class, Effect.NONE);
        engine.call("k", context -> {
            throw new TimeoutException("no answer");
        });
        assertThat(engine.call("k", withoutEffect).recorded()).isEqualTo(Recorded.IN_DOUBT);
        assertThat(engine.record("k").orElseThrow().doubt()).startsWith("the last attempt had no effect");
        refusal(engine.call("k", "others", context -> "never"), IdempotencyKeyReusedException.class);
        assertThat(engine.call("k", context -> "attempt " + context.attempt()))
                .isEqualTo(new Outcome.Executed("attempt 3", Recorded.YES));
    }

    @Test
    void aLateOwnerThatFailsRecordsItsFailureIfNobodyTookOver() {
        CompletableFuture<Object> answer = new CompletableFuture<>();
        CompletionStage<Outcome> late = vanishingOwner(answer);
        answer.completeExceptionally(new IllegalStateException("sold out"));
        assertThat(late.toCompletableFuture().join()).isInstanceOf(Outcome.Threw.class);
        refusal(engine.call("k", context -> "second"), PreviousAttemptFailedException.class);
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void aReconcilerThatFindsTheEffectGivesItsResultToEveryCaller() {
        engine.reconcileWith(Reconciliation.done("found"));
        vanishingOwner(new CompletableFuture<>());
        assertThat(engine.call("k", context -> "second")).isEqualTo(new Outcome.Replayed("found"));
        assertThat(engine.call("k", context -> "third")).isEqualTo(new Outcome.Replayed("found"));
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void onlyAProvenAbsenceRunsTheBodyAgain() {
        engine.reconcileWith(Reconciliation.absent());
        vanishingOwner(new CompletableFuture<>());
        assertThat(engine.call("k", context -> "second")).isEqualTo(new Outcome.Executed("second", Recorded.YES));
        assertThat(engine.bodies).hasValue(2);
    }

    /** Its thread stands still between its claim and its body; meanwhile another call may get the same permission. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCallThatComesToItsBodyAfterItsLeaseDoesNotRunIt(boolean takenOver) {
        engine.reconcileWith(Reconciliation.absent());
        engine.admission = new NewKeyAdmission() {
            @Override
            public void granted() {
                engine.time.pass(Engine.LEASE.plusMillis(1));
                if (takenOver) {
                    engine.callAsync("k", context -> new CompletableFuture<>());
                }
            }
        };
        assertThat(LogLines.during(
                        LeaseKeeper.class,
                        () -> assertThat(refusal(engine.call("k", context -> "first"), Refusal.STORE_UNAVAILABLE))
                                .hasMessageContaining("the body did not run")))
                .as("no body has lost its claim")
                .isEmpty();
        assertThat(engine.bodies).hasValue(takenOver ? 1 : 0);
        assertThat(engine.record("k").orElseThrow().state())
                .isEqualTo(takenOver ? RecordState.IN_PROGRESS : RecordState.IN_DOUBT);
    }

    static List<Consumer<CompletableFuture<Reconciliation<?>>>> lateAnswers() {
        return List.of(
                late -> late.complete(Reconciliation.absent()),
                late -> late.complete(Reconciliation.unknown("the provider is down")),
                late -> late.completeExceptionally(new IllegalStateException("no route to provider")));
    }

    /** By then another node may have asked it too, and run the body. */
    @ParameterizedTest
    @MethodSource("lateAnswers")
    void anAnswerThatComesAfterATakeOverRunsNothingAndGivesWayToTheRecord(
            Consumer<CompletableFuture<Reconciliation<?>>> answer) {
        CompletableFuture<Reconciliation<?>> late = new CompletableFuture<>();
        engine.onAbandoned = OnAbandoned.RECONCILE;
        engine.reconciler = context -> late;
        vanishingOwner(new CompletableFuture<>());
        CompletionStage<Outcome> first = engine.callAsync("k", context -> CompletableFuture.completedFuture("second"));
        engine.time.pass(Engine.LEASE.plusMillis(1));
        engine.reconcileWith(Reconciliation.absent());
        assertThat(engine.call("k", context -> "third")).isEqualTo(new Outcome.Executed("third", Recorded.YES));

        answer.accept(late);
        engine.time.settle();
        assertThat(first.toCompletableFuture().join()).isEqualTo(new Outcome.Replayed("third"));
        assertThat(engine.bodies).as("the vanished one's and the third's").hasValue(2);
    }

    @Test
    void aProofThatComesAfterTheLeaseLeavesTheOutcomeUnknownWhereNobodyTookOver() {
        CompletableFuture<Reconciliation<?>> late = new CompletableFuture<>();
        engine.onAbandoned = OnAbandoned.RECONCILE;
        engine.reconciler = context -> late;
        vanishingOwner(new CompletableFuture<>());
        CompletionStage<Outcome> first = engine.callAsync("k", context -> CompletableFuture.completedFuture("second"));
        engine.time.pass(Engine.LEASE.plusMillis(1));
        late.complete(Reconciliation.absent());
        engine.time.settle();
        assertThat(refusal(first.toCompletableFuture().join(), OutcomeUnknownException.class))
                .hasMessageContaining("lease was over");
        assertThat(engine.bodies).hasValue(1);
        engine.store.mend();
        engine.reconcileWith(Reconciliation.absent());
        assertThat(engine.call("k", context -> "third")).isEqualTo(new Outcome.Executed("third", Recorded.YES));
    }

    @Test
    void aReconcilerThatDoesNotKnowLeavesTheOutcomeUnknownAndIsAskedAgain() {
        engine.reconcileWith(Reconciliation.unknown("the provider is down"));
        vanishingOwner(new CompletableFuture<>());
        OutcomeUnknownException refused = refusal(engine.call("k", context -> "second"), OutcomeUnknownException.class);
        assertThat(refused).hasMessageContaining("the provider is down");

        engine.reconcileWith(Reconciliation.done("found"));
        assertThat(engine.call("k", context -> "second")).isEqualTo(new Outcome.Replayed("found"));
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void aReconcilerThatThrowsLeavesTheOutcomeUnknown() {
        engine.onAbandoned = OnAbandoned.RECONCILE;
        engine.reconciler = context -> {
            throw new IllegalStateException("no route to provider");
        };
        vanishingOwner(new CompletableFuture<>());
        refusal(engine.call("k", context -> "second"), OutcomeUnknownException.class);
        assertThat(engine.record("k").orElseThrow().state()).isEqualTo(RecordState.IN_DOUBT);
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void anOperationWithoutReconcilerLeavesTheOutcomeUnknown() {
        engine.onAbandoned = OnAbandoned.RECONCILE;
        vanishingOwner(new CompletableFuture<>());
        assertThat(refusal(engine.call("k", context -> "second"), OutcomeUnknownException.class))
                .hasMessageContaining("no @Reconciles method");
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void whileTheReconcilerIsAskedTheFormerOwnerCanNoLongerRecord() {
        CompletableFuture<Object> answer = new CompletableFuture<>();
        engine.onAbandoned = OnAbandoned.RECONCILE;
        engine.reconciler = context -> {
            answer.complete("stale");
            return CompletableFuture.completedFuture(Reconciliation.done("found"));
        };
        CompletionStage<Outcome> stale = vanishingOwner(answer);
        assertThat(engine.call("k", context -> "second")).isEqualTo(new Outcome.Replayed("found"));
        refusal(stale.toCompletableFuture().join(), OperationInProgressException.class);
        assertThat(engine.call("k", context -> "third")).isEqualTo(new Outcome.Replayed("found"));
    }

    @Test
    void whileTheReconcilerIsAskedDuplicatesAreToldThatItIsInProgress() {
        CompletableFuture<Reconciliation<?>> answer = new CompletableFuture<>();
        engine.onAbandoned = OnAbandoned.RECONCILE;
        engine.reconciler = context -> answer;
        vanishingOwner(new CompletableFuture<>());
        CompletionStage<Outcome> reconciling =
                engine.callAsync("k", context -> CompletableFuture.completedFuture("second"));
        OperationInProgressException refused =
                refusal(engine.call("k", context -> "third"), OperationInProgressException.class);
        assertThat(refused.executed()).isEqualTo(Executed.UNKNOWN);
        assertThat(refused.retry()).isEqualTo(Retry.SAME_KEY);
        assertThat(refused.code()).isEqualTo("in-progress");
        assertThat(refused).hasMessageContaining("attempt 2");

        answer.complete(Reconciliation.done("found"));
        engine.time.settle();
        assertThat(reconciling.toCompletableFuture().join()).isEqualTo(new Outcome.Replayed("found"));
    }

    @Test
    void anAbandonedRunIsToldAsOneWhoseOutcomeNobodyKnows() {
        vanishingOwner(new CompletableFuture<>());
        OutcomeUnknownException refused = refusal(engine.call("k", context -> "second"), OutcomeUnknownException.class);
        assertThat(refused.executed()).isEqualTo(Executed.UNKNOWN);
        assertThat(refused.retry()).isEqualTo(Retry.NEVER);
        assertThat(refused.code()).isEqualTo("outcome-unknown");
        assertThat(refused).hasMessageContaining("its owner vanished").hasMessageContaining("onAbandoned = RECONCILE");
    }
}

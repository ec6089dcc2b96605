package io.idempotency.runtime.engine;

import static io.idempotency.runtime.engine.Engine.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotencyStoreUnavailableException;
import io.idempotency.OnFailure;
import io.idempotency.OnStoreFailure;
import io.idempotency.OperationInProgressException;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.OutcomeListener.ClaimChange;
import io.idempotency.runtime.call.RunningCall;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.test.FaultyStore.Call;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a call leaves behind when it ends, and what others are told when its claim does. */
class EndOfCallTest {

    private final Engine engine = new Engine();
    private final AtomicInteger renewals = new AtomicInteger();
    private final CompletableFuture<Object> body = new CompletableFuture<>();

    private void nothingIsLeft() {
        assertThat(engine.executor.running()).isZero();
        engine.nothingIsLeft();
    }

    @Test
    void whateverBecomesOfABodyNothingIsRenewedAfterwards() {
        engine.store.before(Call.RENEW, renewals::incrementAndGet);
        engine.declaredEffects = Map.of(UnsupportedOperationException.class, Effect.NONE);
        List<Engine.Body> endings = List.of(
                context -> "done",
                context -> {
                    throw new IllegalStateException();
                },
                context -> {
                    throw new UnsupportedOperationException();
                },
                context -> {
                    throw new LinkageError();
                });
        for (Engine.Body ending : endings) {
            engine.call("k" + endings.indexOf(ending), ending);
            nothingIsLeft();
        }
        engine.time.pass(Engine.LEASE.multipliedBy(3));
        assertThat(renewals).hasValue(0);
    }

    @Test
    void whatIsSettledInTheBackgroundIsRenewedUntilThenAndNoLonger() {
        engine.store.before(Call.RENEW, renewals::incrementAndGet);
        engine.store.refuse(Call.COMPLETE);
        CompletableFuture<?> outcome = engine.callAsync("k", context -> body).toCompletableFuture();
        body.complete("done");
        engine.time.pass(Engine.LEASE);
        assertThat(outcome).isCompleted();
        assertThat(renewals).hasPositiveValue();
        engine.store.mend();
        engine.time.pass(Engine.LEASE.multipliedBy(2));
        assertThat(engine.record("k").orElseThrow().state()).isEqualTo(RecordState.COMPLETED);
        nothingIsLeft();
    }

    @Test
    void anUnprotectedRunIsInFlightUntilItsBodyHasEnded() {
        engine.onStoreFailure = OnStoreFailure.PROCEED;
        engine.store.refuse(Call.values());
        engine.call("k1", context -> "done");
        assertThat(engine.executor.running()).isZero();
        engine.call("k2", context -> {
            throw new IllegalStateException();
        });
        assertThat(engine.executor.running()).isZero();
        CompletableFuture<?> later = engine.callAsync("k3", context -> body).toCompletableFuture();
        assertThat(engine.executor.running()).isEqualTo(1);
        body.completeExceptionally(new IllegalStateException());
        assertThat(later).isCompleted();
        assertThat(engine.executor.running()).isZero();
        engine.store.mend();
        engine.time.pass(Duration.ofMinutes(1));
        nothingIsLeft();
    }

    /** Long before its lease is over: an operator's tool, or a clock that was set, put the record in doubt. */
    @Test
    void whoeverWaitsLooksForHimselfAsSoonAsTheClaimIsLost() {
        engine.whenInProgress = WhenInProgress.WAIT;
        engine.waitTimeout = Duration.ofMinutes(10);
        engine.callAsync("k", context -> body);
        Calls waiter = Calls.of(engine, 1);
        StoredRecord record = engine.record("k").orElseThrow();
        engine.memory.doubt(
                new Ownership(record.id(), record.owner(), record.fence()), "put in doubt", Engine.RETENTION);
        engine.time.pass(Engine.LEASE.dividedBy(3));
        assertThat(engine.changes).containsExactly(ClaimChange.LEASE_LOST);
        engine.time.pass(Engine.LEASE);
        assertThat(engine.changes).as("it is told once").hasSize(1);
        assertThat(body).isNotDone();
        refusal(waiter.ended().get(0), OutcomeUnknownException.class);
        body.complete("late");
        nothingIsLeft();
    }

    /** Found by the campaign: it was given the result of the other arguments. */
    @Test
    void whoReleasedItsKeyIsNotGivenTheOutcomeOfOtherArgumentsThatHaveTheKeySince() {
        engine.declaredEffects = Map.of(UnsupportedOperationException.class, Effect.NONE);
        engine.store.loseReply(Call.RELEASE);
        CompletableFuture<Outcome> released =
                engine.callAsync("k", "mine", context -> body).toCompletableFuture();
        body.completeExceptionally(new UnsupportedOperationException());
        engine.store.mend();
        engine.call("k", "theirs", context -> "of theirs");
        engine.time.pass(engine.settleBudget);
        assertThat(released.join()).isInstanceOfSatisfying(Outcome.Threw.class, threw -> {
            assertThat(threw.failure()).isInstanceOf(UnsupportedOperationException.class);
            assertThat(threw.effect()).isEqualTo(Effect.NONE);
        });
        engine.call("k", "theirs", context -> "again");
        assertThat(engine.bodies).hasValue(2);
    }

    /** What the body of another call is told by an operation that it calls. */
    private Throwable told(String key, Throwable refusal) {
        Throwable[] told = new Throwable[1];
        engine.call(key, context -> {
            told[0] = ((RunningCall) context).answerFor(refusal);
            throw refusal;
        });
        return told[0];
    }

    @Test
    void aNestedCallThatIsRefusedForNowLeavesTheOutcomeUnknownUnlessTheOuterOneSaysOtherwise() {
        engine.callAsync("inner", context -> body);
        Throwable busy = refusal(engine.call("inner", context -> "never"), OperationInProgressException.class);

        assertThat(told("k1", busy))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("let 'pay' wait")
                .hasCause(busy);
        assertThat(engine.record("k1").map(StoredRecord::state)).contains(RecordState.IN_DOUBT);

        engine.declaredEffects = Map.of(OperationInProgressException.class, Effect.FINAL);
        assertThat(told("k2", busy)).isInstanceOf(PreviousAttemptFailedException.class);
        assertThat(engine.record("k2").map(StoredRecord::state)).contains(RecordState.FAILED);

        engine.declaredEffects = Map.of(OperationInProgressException.class, Effect.NONE);
        assertThat(told("k3", busy)).isSameAs(busy);
        assertThat(engine.record("k3")).isEmpty();

        engine.declaredEffects = Map.of();
        engine.onStoreFailure = OnStoreFailure.PROCEED;
        engine.store.refuse(Call.values());
        assertThat(told("unprotected", busy)).as("there is no key of its own").isSameAs(busy);
        engine.store.mend();
        Throwable own = new IllegalStateException();
        assertThat(told("k4", own)).isSameAs(own);
    }

    @Test
    void aNestedRefusalThatNobodyNeedRememberFreesTheKey() {
        engine.store.refuse(Call.CLAIM);
        Throwable away = refusal(engine.call("inner", context -> "never"), IdempotencyStoreUnavailableException.class);
        engine.store.mend();
        assertThat(told("k1", away)).isInstanceOf(OutcomeUnknownException.class);
        assertThat(engine.record("k1").map(StoredRecord::state)).contains(RecordState.IN_DOUBT);

        engine.onFailure = OnFailure.RELEASE;
        assertThat(told("k2", away)).isSameAs(away);
        assertThat(engine.record("k2")).isEmpty();
        engine.declaredEffects = Map.of(IdempotencyStoreUnavailableException.class, Effect.UNKNOWN);
        assertThat(told("k3", away)).isInstanceOf(OutcomeUnknownException.class);
        assertThat(engine.record("k3").map(StoredRecord::state)).contains(RecordState.IN_DOUBT);
    }

    @Test
    void aNestedOutcomeThatIsUnknownLeavesTheOuterOneUnknown() {
        engine.call("inner", context -> {
            throw new LinkageError();
        });
        Throwable unknown = refusal(engine.call("inner", context -> "never"), OutcomeUnknownException.class);
        assertThat(told("k", unknown)).isSameAs(unknown);
        assertThat(engine.record("k").map(StoredRecord::state)).contains(RecordState.IN_DOUBT);
    }
}

package io.idempotency.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.OnAbandoned;
import io.idempotency.OperationInProgressException;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.OutcomeListener.ClaimChange;
import io.idempotency.test.FaultyStore.Call;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What happens to claims while nobody looks is told, and so is what is still to be done. */
class ClaimChangesTest {

    private final Engine engine = new Engine();
    private final CompletableFuture<Object> answer = new CompletableFuture<>();

    private CompletionStage<Outcome> ownerWhoseLeaseIsOver() {
        engine.store.refuse(Call.RENEW);
        CompletionStage<Outcome> outcome = engine.callAsync("k", context -> answer);
        engine.time.pass(Engine.LEASE.plusMillis(1));
        return outcome;
    }

    @Test
    void aLeaseThatIsKeptIsNoNews() {
        engine.callAsync("k", context -> answer);
        engine.time.pass(Engine.LEASE.multipliedBy(3));
        answer.complete("done");
        assertThat(engine.changes).isEmpty();
    }

    @Test
    void aLeaseThatIsRenewedAfterItsEndIsToldOnce() {
        ownerWhoseLeaseIsOver();
        engine.store.mend();
        engine.time.pass(Engine.LEASE.multipliedBy(3));
        assertThat(engine.changes).containsOnlyOnce(ClaimChange.RENEWED_LATE).endsWith(ClaimChange.RENEWED_LATE);
    }

    @Test
    void aLostClaimIsToldWhileItsBodyRunsAndItsOutcomeWhenItComes() {
        engine.onAbandoned = OnAbandoned.TAKE_OVER;
        ownerWhoseLeaseIsOver();
        engine.call("k", context -> "second");
        engine.store.mend();
        engine.time.pass(Engine.LEASE);
        assertThat(engine.changes).endsWith(ClaimChange.LEASE_LOST);
        answer.complete("late");
        assertThat(engine.changes).endsWith(ClaimChange.LEASE_LOST, ClaimChange.OUTCOME_STALE);
    }

    @Test
    void anOutcomeThatComesTooLateIsToldAlsoLongAfterItsCallerHasGone() {
        engine.onAbandoned = OnAbandoned.TAKE_OVER;
        engine.store.refuse(Call.COMPLETE, Call.RENEW);
        engine.callAsync("k", context -> CompletableFuture.completedFuture("first"));
        engine.time.pass(Engine.LEASE.multipliedBy(2));
        engine.onAnotherNode().call("k", context -> "second");
        engine.store.mend();
        assertThat(engine.changes).doesNotContain(ClaimChange.OUTCOME_STALE);
        engine.time.pass(Duration.ofMinutes(2));
        assertThat(engine.changes).containsOnlyOnce(ClaimChange.OUTCOME_STALE);
    }

    /** Found by the campaign: it was told that it did not run. */
    @Test
    void anOwnerWhoseClaimWasTakenOverByACallThatStillRunsIsNotToldThatItDidNothing() {
        engine.onAbandoned = OnAbandoned.TAKE_OVER;
        CompletableFuture<Outcome> first = ownerWhoseLeaseIsOver().toCompletableFuture();
        engine.callAsync("k", context -> new CompletableFuture<>());
        engine.store.mend();
        engine.time.pass(Engine.LEASE);
        answer.complete("late");
        assertThat(Engine.refusal(first.join(), OperationInProgressException.class))
                .hasMessageContaining("this call has lost its claim to attempt 2")
                .hasMessageNotContaining("did not run");
    }

    @Test
    void whatTheStoreHasStillToBeToldIsCountedUntilItAnswers() {
        engine.store.refuse(Call.COMPLETE);
        assertThat(engine.executor.backlog(engine.store)).isEqualTo(new IdempotencyEngine.Backlog(0, 0));
        engine.callAsync("k", context -> CompletableFuture.completedFuture("0123456789"));
        engine.time.pass(engine.settleBudget);
        assertThat(engine.executor.backlog(engine.store)).isEqualTo(new IdempotencyEngine.Backlog(1, 10));
        engine.store.mend();
        engine.time.pass(Engine.LEASE.multipliedBy(2));
        assertThat(engine.executor.backlog(engine.store)).isEqualTo(new IdempotencyEngine.Backlog(0, 0));
    }

    @Test
    void callsThatWaitAreCountedUntilTheyHaveTheirAnswer() {
        engine.whenInProgress = WhenInProgress.WAIT;
        engine.callAsync("k", context -> answer);
        CompletionStage<Outcome> duplicate =
                engine.callAsync("k", context -> CompletableFuture.completedFuture("second"));
        assertThat(engine.executor.waiting()).isEqualTo(1);
        answer.complete("first");
        assertThat(duplicate.toCompletableFuture().join()).isEqualTo(new Outcome.Replayed("first"));
        assertThat(engine.executor.waiting()).isZero();
    }
}

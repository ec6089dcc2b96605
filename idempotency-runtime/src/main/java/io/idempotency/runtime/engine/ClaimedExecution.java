package io.idempotency.runtime.engine;

import io.idempotency.OnAbandoned;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.Reconciliation;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.OutcomeListener.ClaimChange;
import io.idempotency.runtime.answer.Refusals;
import io.idempotency.runtime.answer.Replay;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.failure.RedactedThrowable;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the body under a granted claim, after the reconciler where one is due, and records the outcome. */
record ClaimedExecution(ActiveClaim claim, LeaseKeeper leases, Unrecorded unrecorded) implements BodyExecution {

    private static final Logger LOG = LoggerFactory.getLogger(ClaimedExecution.class);

    private static final String PROVEN_LATE =
            "its reconciler proved that nothing was done, but after the lease was over, when others may have run the body";

    /** Tells whether a reconciler decides if the body may run. */
    boolean abandonedBefore() {
        return claim.attempt() > 1 && reconciles();
    }

    private boolean reconciles() {
        return claim.policy().onAbandoned() == OnAbandoned.RECONCILE;
    }

    /** Asks the reconciler and waits for its answer. Returns null when the body has to run. */
    @Nullable
    Ended reconcile() {
        Invocation.Reconciler reconciler = claim.call().reconciler();
        if (reconciler == null) {
            return ended(stillUnknown("no @Reconciles method is known for it", null));
        }
        CompletableFuture<Reconciliation<?>> answer = BlockingCalls.started(reconciler::reconcile, claim);
        BlockingCalls.awaitEnd(claim.services().time(), answer);
        Throwable failure = BlockingCalls.failure(answer);
        Reconciliation<?> come = failure == null ? answer.join() : null;
        if (come == null) {
            return ended(stillUnknown("its reconciler failed", failure));
        } else if (come instanceof Reconciliation.Done<?> done) {
            return ended(record(
                    new OutcomeCommand.Completed(claim.encoded(done.result())),
                    recorded -> new Outcome.Replayed(done.result())));
        } else if (come instanceof Reconciliation.Absent<?>) {
            return claim.remainingLease().isZero() ? ended(provenTooLate()) : null;
        }
        return ended(stillUnknown(((Reconciliation.Unknown<?>) come).reason(), null));
    }

    /** Leaves the record in doubt: another owner may have got the same proof since, and may run the body. */
    private Outcome provenTooLate() {
        return record(
                new OutcomeCommand.InDoubt(PROVEN_LATE), recorded -> Refusals.unknown(claim.call(), PROVEN_LATE, null));
    }

    private Outcome stillUnknown(String reason, @Nullable Throwable cause) {
        String why = cause == null ? Failures.reason(reason) : claim.failures().reason(reason, cause);
        settle(new OutcomeCommand.InDoubt(why));
        return Refusals.unknown(claim.call(), why, cause);
    }

    /** Ends the call. Duplicates that waited do not ask a reconciler again that did not know the outcome. */
    private Ended ended(Outcome outcome) {
        boolean askedInVain = reconciles()
                && outcome instanceof Outcome.Refused refused
                && refused.reason() instanceof OutcomeUnknownException;
        return new Ended(outcome, null, !askedInVain);
    }

    @Override
    public CompletableFuture<@Nullable Object> start() {
        Listeners.tellOfBody(claim);
        return BlockingCalls.started(claim.call().body()::run, claim);
    }

    @Override
    public Ended finish(@Nullable Object value, @Nullable Throwable failure) {
        return ended(
                failure == null
                        ? record(
                                OutcomeCommand.returned(claim, value),
                                recorded -> new Outcome.Executed(value, recorded))
                        : threw(failure));
    }

    private Outcome threw(Throwable failure) {
        Effect effect = claim.failures().effect(failure);
        Outcome outcome = record(
                OutcomeCommand.threw(claim, failure, effect),
                recorded -> new Outcome.Threw(Failures.ofBody(failure), effect, recorded));
        if (!(outcome instanceof Outcome.Threw)) { // the caller does not get this exception, so the log keeps it
            LOG.error(
                    "Idempotent operation '{}' [key {}]: the body of attempt {} failed after its claim was lost; its"
                            + " caller is given what the record says",
                    claim.operation(),
                    claim.call().id(),
                    claim.attempt(),
                    RedactedThrowable.of(failure));
        }
        if (outcome instanceof Outcome.Refused refused) {
            refused.reason().addSuppressed(failure);
        }
        return outcome;
    }

    /**
     * Records the outcome. If the claim was lost, returns the recorded outcome instead, as duplicates get it, unless
     * the key is another call's by now: then this call's own outcome is the only one that may be told.
     */
    private Outcome record(OutcomeCommand verdict, Function<Outcome.Recorded, Outcome> answer) {
        Settled settled = settle(verdict);
        if (verdict instanceof OutcomeCommand.Nothing && StoreMessages.stillHeld(settled, claim.ownership())) {
            return answer.apply(Outcome.Recorded.IN_DOUBT);
        }
        if (settled instanceof Settled.Stale stale
                && stale.current() != null
                && MultiFormClaim.sameCall(claim.call(), stale.current())) {
            return stale.current().state() == RecordState.IN_PROGRESS
                    ? Refusals.overtaken(claim.call(), stale.current())
                    : Replay.of(claim.call(), stale.current());
        }
        return answer.apply(settled instanceof Settled.Applied ? verdict.recorded() : Outcome.Recorded.DEGRADED);
    }

    /** Sends the outcome. Keeps the lease until the store has it, so that no other call takes the key over. */
    private @Nullable Settled settle(OutcomeCommand verdict) {
        claim.settles(); // before the store has the outcome: later duplicates must ask the store
        return unrecorded.record(claim, verdict, this::come).orElse(null);
    }

    /** Tells of an outcome that came too late, also long after its caller has gone: the body may have run twice. */
    private void come(Optional<Settled> settled) {
        leases.giveUp(claim);
        if (settled.orElse(null) instanceof Settled.Stale stale && !StoreMessages.stillHeld(stale, claim.ownership())) {
            StoredRecord current = stale.current();
            LOG.error(
                    "Idempotent operation '{}' [key {}]: the outcome of attempt {} (fence {}) came too late and was not"
                            + " recorded; the record is now {}",
                    claim.operation(),
                    claim.call().id(),
                    claim.attempt(),
                    claim.fence(),
                    current == null ? "gone" : current.state() + " with fence " + current.fence());
            Listeners.tell(claim, ClaimChange.OUTCOME_STALE);
        }
    }
}

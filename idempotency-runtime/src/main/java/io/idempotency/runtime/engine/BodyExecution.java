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
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.failure.RedactedThrowable;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a body under a granted claim, after the reconciler where one is due, and records the outcome. Where the store did
 * not answer, runs it without a claim, and records the outcome once the store can be reached, unless another call has
 * claimed the key by then. That also settles a claim that was applied although its answer was lost.
 *
 * @param claim the granted claim; one that holds nothing if the store did not answer
 * @param unasked the claim that the store did not answer; null if it was granted
 */
record BodyExecution(
        ActiveClaim claim, LeaseKeeper leases, Unrecorded unrecorded, ClaimAttempt.Decision.@Nullable Unasked unasked) {

    private static final Logger LOG = LoggerFactory.getLogger(BodyExecution.class);

    private static final String PROVEN_LATE =
            "its reconciler proved that nothing was done, but after the lease was over, when others may have run the body";

    /**
     * How a call ended.
     *
     * @param outcome what the caller gets
     * @param forDuplicates makes the outcome of each duplicate that waited; null when they ask the store
     * @param mayTakeOver whether the next duplicate that asks may take over a record in doubt
     */
    record Ended(Outcome outcome, @Nullable Function<Invocation, Outcome> forDuplicates, boolean mayTakeOver) {}

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
            return stillUnknown("no @Reconciles method is known for it", null);
        }
        CompletableFuture<Reconciliation<?>> answer = BlockingCalls.started(reconciler, claim);
        BlockingCalls.awaitEnd(claim.services().time(), answer);
        Throwable failure = BlockingCalls.failure(answer);
        Reconciliation<?> come = failure == null ? answer.join() : null;
        if (come == null) {
            return stillUnknown("its reconciler failed", failure);
        } else if (come instanceof Reconciliation.Done<?> done) {
            return ended(record(
                    new OutcomeCommand.Completed(claim.encoded(done.result())),
                    recorded -> new Outcome.Replayed(done.result()),
                    null,
                    true));
        } else if (come instanceof Reconciliation.Absent<?>) {
            // after the lease another owner may have got the same proof, and may run the body
            return claim.remainingLease().isZero() ? stillUnknown(PROVEN_LATE, null) : null;
        }
        return stillUnknown(((Reconciliation.Unknown<?>) come).reason(), null);
    }

    private Ended stillUnknown(String reason, @Nullable Throwable cause) {
        String why = cause == null ? Failures.reason(reason) : claim.failures().reason(reason, cause);
        return ended(record(
                new OutcomeCommand.InDoubt(why), recorded -> Refusals.unknown(claim.call(), why, cause), cause, true));
    }

    /** Ends the call. Duplicates that waited do not ask a reconciler again that did not know the outcome. */
    private Ended ended(Outcome outcome) {
        boolean askedInVain = reconciles()
                && outcome instanceof Outcome.Refused refused
                && refused.reason() instanceof OutcomeUnknownException;
        return new Ended(outcome, null, !askedInVain);
    }

    /** Starts the body. */
    CompletableFuture<@Nullable Object> start() {
        if (unasked != null) {
            LOG.warn(
                    "Idempotent operation '{}' [key {}]: store '{}' could not be asked, and the body runs unprotected,"
                            + " as onStoreFailure = PROCEED says: {}",
                    claim.operation(),
                    claim.call().id(),
                    claim.call().operation().store().name(),
                    Failures.text(unasked.failure()));
        }
        claim.bodyBegins();
        Listeners.tellOfBody(claim);
        return BlockingCalls.started(claim.call().body(), claim);
    }

    /**
     * Records how the body ended.
     *
     * @param value what the body returned
     * @param failure what the body threw; null when it returned
     * @param mayWait whether to wait for a store that is away
     */
    Ended finish(@Nullable Object value, @Nullable Throwable failure, boolean mayWait) {
        Effect effect = failure == null ? Effect.NONE : claim.failures().effect(failure);
        OutcomeCommand verdict =
                failure == null ? OutcomeCommand.returned(claim, value) : OutcomeCommand.threw(claim, failure, effect);
        Function<Outcome.Recorded, Outcome> answer = recorded -> failure == null
                ? new Outcome.Executed(value, recorded)
                : new Outcome.Threw(Failures.ofBody(failure), effect, recorded);
        if (unasked == null) {
            return ended(record(verdict, answer, failure, mayWait));
        }
        recordLater(verdict, unasked.request());
        return new Ended(answer.apply(Outcome.Recorded.UNPROTECTED), verdict.forDuplicates(), true);
    }

    /** Records the outcome of a body that ran without a claim. Until then nothing else of the call is kept. */
    private void recordLater(OutcomeCommand verdict, Claim request) {
        Operation operation = claim.call().operation();
        if (verdict instanceof OutcomeCommand.Nothing) {
            unrecorded.abandon(operation, request, StoreMessages.NO_EFFECT_LATE);
            return;
        }
        String name = operation.name();
        RecordId id = request.id();
        unrecorded.later(
                operation,
                id,
                StoreMessages.unprotectedOutcome(verdict, request, claim.call().fingerprint(), operation.policy()),
                settled -> {
                    if (settled.orElse(null) instanceof Settled.Stale) {
                        LOG.error(
                                "Idempotent operation '{}' [key {}]: the body ran unprotected while the store could not"
                                        + " be reached, and another call has claimed the key: the body has probably run"
                                        + " more than once",
                                name,
                                id);
                    }
                });
    }

    /**
     * Records the outcome. If the claim was lost, returns the recorded outcome instead, as duplicates get it, unless
     * the key is another call's by now: then this call's own outcome is the only one that may be told.
     *
     * @param failure what the body or the reconciler threw; null when it returned
     */
    private Outcome record(
            OutcomeCommand verdict,
            Function<Outcome.Recorded, Outcome> answer,
            @Nullable Throwable failure,
            boolean mayWait) {
        claim.settles(); // before the store has the outcome: later duplicates must ask the store
        // keeps the lease until the store has the outcome, so that no other call takes the key over
        Settled settled = unrecorded.record(claim, verdict, mayWait, this::come).orElse(null);
        if (verdict instanceof OutcomeCommand.Nothing && StoreMessages.stillHeld(settled, claim.ownership())) {
            return answer.apply(Outcome.Recorded.IN_DOUBT);
        }
        if (settled instanceof Settled.Stale stale
                && stale.current() != null
                && MultiFormClaim.sameCall(claim.call(), stale.current())) {
            return overtaken(stale.current(), failure);
        }
        return answer.apply(settled instanceof Settled.Applied ? verdict.recorded() : Outcome.Recorded.DEGRADED);
    }

    private Outcome overtaken(StoredRecord current, @Nullable Throwable failure) {
        Outcome outcome = current.state() == RecordState.IN_PROGRESS
                ? Refusals.overtaken(claim.call(), current)
                : Replay.of(claim.call(), current);
        if (failure != null) { // the caller does not get this exception, so the log keeps it
            LOG.error(
                    "Idempotent operation '{}' [key {}]: attempt {} failed after its claim was lost; its caller is given"
                            + " what the record says",
                    claim.operation(),
                    claim.call().id(),
                    claim.attempt(),
                    RedactedThrowable.of(failure));
        }
        if (failure != null && outcome instanceof Outcome.Refused refused) {
            refused.reason().addSuppressed(failure);
        }
        return outcome;
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

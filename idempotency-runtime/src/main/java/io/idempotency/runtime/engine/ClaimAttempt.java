package io.idempotency.runtime.engine;

import io.idempotency.OnStoreFailure;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.UnreadableRecordException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One call on its way: it claims, and runs when it may. */
final class ClaimAttempt implements WaitingCall.Steps {

    /** With the lines about outcomes, of which the claim is the beginning. */
    private static final Logger LOG = LoggerFactory.getLogger("io.idempotency.calls");

    private static final int SHOWN_DIGITS = 8;

    private final Invocation call;
    private final StoreInvoker dispatch;
    private final Operation.Policy policy;
    private final Parts parts;
    private final ExecutionServices services;
    private final String owner;

    /**
     * What every call of an engine uses.
     *
     * @param services the surroundings
     * @param settlement tells the store afterwards
     * @param owned runs with a claim
     * @param unprotected runs without one
     * @param turnstile counts those who claim or run
     */
    record Parts(
            ExecutionServices services,
            OutcomeRecorder settlement,
            OwnedRun owned,
            UnprotectedRun unprotected,
            InFlightGate turnstile) {}

    ClaimAttempt(Invocation call, StoreInvoker dispatch, Parts parts) {
        this.call = call;
        this.dispatch = dispatch;
        this.parts = parts;
        this.services = parts.services();
        this.owner = services.tokens().get();
        this.policy = call.operation().policy();
    }

    Claim request(boolean takeOver) {
        return new Claim(
                call.id(),
                call.operation().name(),
                call.fingerprint(),
                owner,
                policy.lease(),
                policy.inDoubtRetention(),
                takeOver && takesOver(policy));
    }

    /** A transaction asks no reconciler, so it may not run again what only a reconciler could permit. */
    private static boolean takesOver(Operation.Policy policy) {
        return switch (policy.onAbandoned()) {
            case REFUSE -> false;
            case RECONCILE -> !policy.transactional();
            case TAKE_OVER -> true;
        };
    }

    @Override
    public CompletionStage<ClaimDecision> claim(boolean takeOver, boolean first) {
        if (!parts.turnstile().enter(call.nested())) {
            return look();
        }
        Claim request = request(takeOver);
        long sent = services.nanoTime().getAsLong();
        return dispatch.ask(call.operation().store(), store -> store.claim(request))
                .handle((result, failure) -> failure == null
                        ? claimed(result, request, sent)
                        : failed(StoreInvoker.unwrapped(failure), request, first))
                .whenComplete((claimed, defect) -> {
                    if (!runs(claimed)) {
                        parts.turnstile().leave();
                    }
                });
    }

    private static boolean runs(@Nullable ClaimDecision claimed) {
        return claimed instanceof ClaimDecision.Granted || claimed instanceof ClaimDecision.Unasked;
    }

    /** While the application shuts down, a call learns what is known already, and claims nothing. */
    CompletionStage<ClaimDecision> look() {
        return dispatch.ask(call.operation().store(), store -> store.find(call.id()))
                .handle((found, failure) -> failure == null && found.isPresent()
                        ? seen(ClaimResult.of(request(false), found.get()))
                        : ClaimDecision.refused(Refusals::shuttingDown));
    }

    private static ClaimDecision seen(ClaimResult result) {
        return result instanceof ClaimResult.Acquired
                ? ClaimDecision.refused(Refusals::shuttingDown)
                : new ClaimDecision.Known(duplicate -> Replay.of(duplicate, result));
    }

    private ClaimDecision claimed(ClaimResult result, Claim request, long sent) {
        // no default: a new kind of answer must not fall through to running the body
        if (result instanceof ClaimResult.Acquired acquired) {
            return acquired(acquired, request, sent);
        } else if (result instanceof ClaimResult.Duplicate duplicate
                && duplicate.record().state() == RecordState.IN_PROGRESS) {
            return new ClaimDecision.Busy(duplicate.record());
        }
        return new ClaimDecision.Known(duplicate -> Replay.of(duplicate, result));
    }

    private ClaimDecision acquired(ClaimResult.Acquired acquired, Claim request, long sent) {
        long took = services.nanoTime().getAsLong() - sent;
        if (took >= policy.lease().toNanos()) {
            parts.settlement().abandon(call.operation(), request);
            return ClaimDecision.refused(duplicate -> Refusals.answeredTooLate(duplicate, Duration.ofNanos(took)));
        }
        Ownership ownership = new Ownership(request.id(), request.owner(), acquired.fence());
        LOG.debug(
                "Idempotent operation '{}' [key {}]: claimed as attempt {} with fence {}",
                call.operation().name(),
                request.id().value().substring(0, SHOWN_DIGITS),
                acquired.attempt(),
                acquired.fence());
        return new ClaimDecision.Granted(new ActiveClaim(call, ownership, acquired.attempt(), sent, services));
    }

    /** Where something is known of the key already, that is never overridden. */
    private ClaimDecision failed(Throwable failure, Claim request, boolean first) {
        if (failure instanceof UnreadableRecordException) {
            return ClaimDecision.refused(duplicate -> Refusals.unreadable(duplicate, failure));
        }
        if (policy.onStoreFailure() == OnStoreFailure.PROCEED && first) {
            return new ClaimDecision.Unasked(request, failure);
        }
        parts.settlement().abandon(call.operation(), request);
        return ClaimDecision.refused(duplicate -> Refusals.storeUnavailable(duplicate, failure));
    }

    @Override
    public CompletionStage<Outcome> run(ActiveClaim claim) {
        return parts.owned()
                .run(claim, dispatch)
                .whenComplete((outcome, defect) -> parts.turnstile().leave());
    }

    @Override
    public CompletionStage<UnprotectedRun.Ran> run(ClaimDecision.Unasked unasked) {
        return parts.unprotected()
                .run(call, unasked)
                .whenComplete((ran, defect) -> parts.turnstile().leave());
    }

    /** What the call comes to when it does not wait. */
    CompletionStage<Outcome> answer(ClaimDecision claimed) {
        if (claimed instanceof ClaimDecision.Granted granted) {
            return run(granted.claim());
        } else if (claimed instanceof ClaimDecision.Known known) {
            return CompletableFuture.completedFuture(known.answer().apply(call));
        } else if (claimed instanceof ClaimDecision.Unasked unasked) {
            return run(unasked).thenApply(UnprotectedRun.Ran::outcome);
        }
        StoredRecord busy = ((ClaimDecision.Busy) claimed).record();
        return CompletableFuture.completedFuture(Replay.of(call, busy));
    }
}

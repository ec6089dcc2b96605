package io.idempotency.runtime.engine;

import io.idempotency.OnStoreFailure;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoreFullException;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.UnreadableRecordException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One call on its way: it claims, and runs when it may. */
final class ClaimAttempt {

    /** With the lines about outcomes, of which the claim is the beginning. */
    private static final Logger LOG = LoggerFactory.getLogger("io.idempotency.calls");

    private final Invocation call;
    private final StoreInvoker invoker;
    private final CallScope scope;
    private final Operation.Policy policy;
    private final Parts parts;
    private final ExecutionServices services;
    private final String owner;

    /**
     * What every call of an engine uses.
     *
     * @param services the surroundings
     * @param recorder tells the store afterwards
     * @param runningHere what this JVM knows without the store
     * @param owned runs with a claim
     * @param unprotected runs without one
     */
    record Parts(
            ExecutionServices services,
            OutcomeRecorder recorder,
            RunningHere runningHere,
            OwnedRun owned,
            UnprotectedRun unprotected) {}

    ClaimAttempt(Invocation call, StoreInvoker invoker, CallScope scope, Parts parts) {
        this.call = call;
        this.invoker = invoker;
        this.scope = scope;
        this.parts = parts;
        this.services = parts.services();
        this.owner = services.tokens().get();
        this.policy = call.operation().policy();
    }

    Claim request(boolean takeOver) {
        return new Claim(
                call.id(),
                call.operation().name(),
                call.fingerprint().text(),
                owner,
                policy.lease(),
                policy.inDoubtRetention(),
                takeOver && takesOver(policy),
                call.arguments());
    }

    /** A transaction asks no reconciler, so it may not run again what only a reconciler could permit. */
    private static boolean takesOver(Operation.Policy policy) {
        return switch (policy.onAbandoned()) {
            case REFUSE -> false;
            case RECONCILE -> !policy.transactional();
            case TAKE_OVER -> true;
        };
    }

    /** One claim, and how far it came. */
    private final class Sending {
        private final Claim request;
        private final boolean first;
        private volatile boolean sent;
        private volatile boolean unadmitted;
        private volatile boolean givenUp;

        Sending(Claim request, boolean first) {
            this.request = request;
            this.first = first;
        }

        /** A grant that comes after its call has ended has no owner. */
        CompletionStage<FormedClaim.Answered> to(IdempotencyStore store) {
            if (givenUp) {
                throw new CancellationException("The call has ended, and the claim was not sent");
            }
            sent = true;
            CompletionStage<FormedClaim.Answered> answer = FormedClaim.ask(store, request, call.fingerprint());
            answer.thenAccept(answered -> {
                if (givenUp && answered.result() instanceof ClaimResult.Acquired) {
                    parts.recorder().abandon(call.operation(), request);
                }
            });
            return answer;
        }

        /** Where a limit is reached, only a key that has a record is claimed: that adds none. */
        CompletionStage<FormedClaim.Answered> ifKnownTo(IdempotencyStore store, Admission.Closed closed) {
            unadmitted = true;
            return Stages.of(() -> store.find(call.id())).thenCompose(found -> {
                if (found.isEmpty()) {
                    throw new NotAdmittedException(closed);
                }
                return to(store);
            });
        }
    }

    /** What this JVM knows by itself: that another call of it holds the key. */
    Optional<ClaimDecision> knownHere() {
        return Optional.ofNullable(parts.runningHere().keeping(call))
                .map(running -> new ClaimDecision.Known(duplicate -> Replay.running(duplicate, running)));
    }

    /** Claims once; never fails. First is whether nothing is known of the key yet. */
    CompletionStage<ClaimDecision> claim(boolean takeOver, boolean first) {
        if (!scope.enter(call.nested())) {
            return look();
        }
        Sending sending = new Sending(request(takeOver), first);
        long sent = services.nanoTime().getAsLong();
        Optional<Admission.Closed> closed = call.admission().closed();
        return invoker.ask(
                        call.operation().store(),
                        policy.lease(),
                        closed.isEmpty() ? sending::to : store -> sending.ifKnownTo(store, closed.get()))
                .handle((result, failure) -> decided(result, failure, sending, sent));
    }

    /** Leaves the in-flight gate unless the body is going to run. */
    private ClaimDecision decided(
            FormedClaim.@Nullable Answered answered, @Nullable Throwable failure, Sending sending, long sent) {
        ClaimDecision decision = null;
        try {
            decision = answered != null
                    ? claimed(answered.result(), answered.claim(), sent)
                    : failed(StoreInvoker.unwrapped(Objects.requireNonNull(failure)), sending);
            return decision;
        } finally {
            if (!runs(decision)) {
                scope.leave();
            }
        }
    }

    /** The key is new, and a limit of new keys is reached. */
    private static final class NotAdmittedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient Admission.Closed closed;

        NotAdmittedException(Admission.Closed closed) {
            super(null, null, false, false);
            this.closed = closed;
        }
    }

    private static boolean runs(@Nullable ClaimDecision claimed) {
        return claimed instanceof ClaimDecision.Granted || claimed instanceof ClaimDecision.Unasked;
    }

    /** While the application shuts down, a call learns what is known already, and claims nothing. */
    CompletionStage<ClaimDecision> look() {
        return invoker.ask(call.operation().store(), policy.lease(), store -> Stages.of(() -> store.find(call.id())))
                .handle((found, failure) -> failure == null && found.isPresent()
                        ? seen(found.get())
                        : ClaimDecision.refused(Refusals::shuttingDown));
    }

    private ClaimDecision seen(StoredRecord record) {
        ClaimResult result = FormedClaim.answer(request(false), call.fingerprint(), record);
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
            parts.recorder().abandon(call.operation(), request);
            return ClaimDecision.refused(duplicate -> Refusals.answeredTooLate(duplicate, Duration.ofNanos(took)));
        }
        if (acquired.attempt() == 1) {
            call.admission().granted();
        }
        Ownership ownership = new Ownership(request.id(), request.owner(), acquired.fence());
        if (LOG.isDebugEnabled()) { // the texts would be made with every call
            LOG.debug(
                    "Idempotent operation '{}' [key {}]: claimed as attempt {} with fence {}",
                    call.operation().name(),
                    request.id(),
                    acquired.attempt(),
                    acquired.fence());
        }
        return new ClaimDecision.Granted(new ActiveClaim(call, ownership, acquired.attempt(), sent, services));
    }

    /** Where something is known of the key already, that is never overridden. */
    private ClaimDecision failed(Throwable failure, Sending sending) {
        if (failure instanceof UnreadableRecordException) {
            return ClaimDecision.refused(duplicate -> Refusals.unreadable(duplicate, failure));
        }
        if (failure instanceof StoreFullException) { // it answered, so to proceed without it would be no emergency
            return ClaimDecision.refused(duplicate -> Refusals.storeFull(duplicate, failure));
        }
        if (failure instanceof NotAdmittedException refused) {
            return ClaimDecision.refused(duplicate -> Refusals.notAdmitted(duplicate, refused.closed));
        }
        boolean noThread = failure instanceof StoreInvoker.HandOverRefusedException;
        if (policy.onStoreFailure() == OnStoreFailure.PROCEED && sending.first && !noThread && !sending.unadmitted) {
            call.admission().granted(); // it will be recorded some day
            return new ClaimDecision.Unasked(sending.request, failure);
        }
        sending.givenUp = true; // not for a body that runs all the same: a late grant is the protection that it lacks
        if (sending.sent) {
            parts.recorder().abandon(call.operation(), sending.request);
        }
        return ClaimDecision.refused(duplicate ->
                noThread ? Refusals.noThread(duplicate, failure) : Refusals.storeUnavailable(duplicate, failure));
    }

    /** Runs what a granted claim permits. */
    CompletionStage<Outcome> run(ActiveClaim claim) {
        if (!scope.begin()) { // its caller was told that the call failed, and that must stay true
            parts.recorder().abandon(call.operation(), request(false));
            return CompletableFuture.completedFuture(new Outcome.Refused(Refusals.notStarted(call)));
        }
        try {
            OwnedRun.Steps steps = parts.owned().begin(claim, invoker, scope);
            return steps.abandonedBefore() ? steps.reconcile() : steps.body();
        } catch (Throwable e) {
            scope.close(); // nothing will end that could close it
            throw e;
        }
    }

    /** Runs without a claim. */
    CompletionStage<UnprotectedRun.Ran> run(ClaimDecision.Unasked unasked) {
        if (!scope.begin()) {
            throw new CancellationException("The call has ended, and the body did not run");
        }
        return parts.unprotected().run(call, unasked);
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

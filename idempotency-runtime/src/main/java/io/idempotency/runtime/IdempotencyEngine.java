package io.idempotency.runtime;

import io.idempotency.OnStoreFailure;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.UnreadableRecordException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The state machine: claim, body, encode, complete; or wait, replay, refuse. A body is started only by a call that
 * holds the claim; every other path ends in an {@link Outcome} that did not run it. Thread-safe.
 */
public final class IdempotencyEngine {

    private final ExecutionServices services;
    private final Settlement settlement;
    private final OwnedRun ownedRun;
    private final UnprotectedRun unprotectedRun;
    private final TransactionalRun transactionalRun;
    private final Reload reload;
    private final Turns turns = new Turns();
    private final Dispatch callersThread = new Dispatch.Caller();
    private final Dispatch executing;

    /**
     * An engine.
     *
     * @param services its surroundings
     */
    public IdempotencyEngine(ExecutionServices services) {
        this.services = services;
        this.settlement = new Settlement(services);
        Failures failures = new Failures(services.classifiers());
        this.ownedRun = new OwnedRun(services, settlement, failures);
        this.unprotectedRun = new UnprotectedRun(services, settlement, failures);
        this.transactionalRun = new TransactionalRun(services);
        this.reload = new Reload(services);
        this.executing = new Dispatch.Executing(services.executor());
    }

    /**
     * Executes a call on the calling thread; the body runs there too.
     *
     * @param call the call, whose body returns completed stages
     * @return what it came to; never throws for what the body or the store did
     */
    public Outcome execute(Invocation call) {
        Attempt attempt = new Attempt(call, callersThread);
        Outcome outcome = call.operation().policy().transactional()
                ? transactionalRun.run(call, attempt.request(true))
                : start(attempt).toCompletableFuture().join();
        return reload.instead(call, outcome).toCompletableFuture().join();
    }

    /**
     * Executes a call without blocking the calling thread.
     *
     * @param call the call
     * @return what it came to; fails only by a defect of this library
     * @throws IllegalArgumentException for a transactional operation, whose transaction belongs to a thread
     */
    public CompletionStage<Outcome> executeAsync(Invocation call) {
        if (call.operation().policy().transactional()) {
            throw new IllegalArgumentException("Operation '" + call.operation().name()
                    + "' is transactional and its method asynchronous. The body did not run. Return the value itself,"
                    + " or remove transactional = true.");
        }
        return start(new Attempt(call, executing)).thenCompose(outcome -> reload.instead(call, outcome));
    }

    private CompletionStage<Outcome> start(Attempt attempt) {
        Operation.Policy policy = attempt.policy;
        boolean waits = policy.whenInProgress() == WhenInProgress.WAIT
                && policy.waitTimeout().compareTo(Duration.ZERO) > 0;
        return waits
                ? new WaitingCall(attempt.call, attempt.dispatch, attempt, turns, services).start()
                : attempt.claim(true, true).thenCompose(attempt::answer);
    }

    /** One call on its way: it claims, and runs when it may. */
    private final class Attempt implements WaitingCall.Steps {
        private final Invocation call;
        private final Dispatch dispatch;
        private final Operation.Policy policy;
        private final String owner = services.tokens().get();

        Attempt(Invocation call, Dispatch dispatch) {
            this.call = call;
            this.dispatch = dispatch;
            this.policy = call.operation().policy();
        }

        private Claim request(boolean takeOver) {
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
        public CompletionStage<Claimed> claim(boolean takeOver, boolean first) {
            Claim request = request(takeOver);
            long sent = services.nanoTime().getAsLong();
            return dispatch.ask(call.operation().store(), store -> store.claim(request))
                    .handle((result, failure) -> failure == null
                            ? claimed(result, request, sent)
                            : failed(Dispatch.unwrapped(failure), request, first));
        }

        private Claimed claimed(ClaimResult result, Claim request, long sent) {
            // no default: a new kind of answer must not fall through to running the body
            if (result instanceof ClaimResult.Acquired acquired) {
                return acquired(acquired, request, sent);
            } else if (result instanceof ClaimResult.Duplicate duplicate
                    && duplicate.record().state() == RecordState.IN_PROGRESS) {
                return new Claimed.Busy(duplicate.record());
            }
            return new Claimed.Known(duplicate -> Replay.of(duplicate, result));
        }

        private Claimed acquired(ClaimResult.Acquired acquired, Claim request, long sent) {
            long took = services.nanoTime().getAsLong() - sent;
            if (took >= policy.lease().toNanos()) {
                settlement.abandon(call.operation(), request);
                return Claimed.refused(duplicate -> Refusals.answeredTooLate(duplicate, Duration.ofNanos(took)));
            }
            Ownership ownership = new Ownership(request.id(), request.owner(), acquired.fence());
            return new Claimed.Granted(new ActiveClaim(call, ownership, acquired.attempt(), sent, services.nanoTime()));
        }

        /** Where something is known of the key already, that is never overridden. */
        private Claimed failed(Throwable failure, Claim request, boolean first) {
            if (failure instanceof UnreadableRecordException) {
                return Claimed.refused(duplicate -> Refusals.unreadable(duplicate, failure));
            }
            if (policy.onStoreFailure() == OnStoreFailure.PROCEED && first) {
                return new Claimed.Unasked(request, failure);
            }
            settlement.abandon(call.operation(), request);
            return Claimed.refused(duplicate -> Refusals.storeUnavailable(duplicate, failure));
        }

        @Override
        public CompletionStage<Outcome> run(ActiveClaim claim) {
            return ownedRun.run(claim, dispatch);
        }

        @Override
        public CompletionStage<UnprotectedRun.Ran> run(Claimed.Unasked unasked) {
            return unprotectedRun.run(call, unasked);
        }

        /** What the call comes to when it does not wait. */
        CompletionStage<Outcome> answer(Claimed claimed) {
            if (claimed instanceof Claimed.Granted granted) {
                return run(granted.claim());
            } else if (claimed instanceof Claimed.Known known) {
                return CompletableFuture.completedFuture(known.answer().apply(call));
            } else if (claimed instanceof Claimed.Unasked unasked) {
                return run(unasked).thenApply(UnprotectedRun.Ran::outcome);
            }
            StoredRecord busy = ((Claimed.Busy) claimed).record();
            return CompletableFuture.completedFuture(Replay.of(call, busy));
        }
    }
}

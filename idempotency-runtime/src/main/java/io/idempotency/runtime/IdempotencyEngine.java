package io.idempotency.runtime;

import io.idempotency.IdempotencyException;
import io.idempotency.OnStoreFailure;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.UnreadableRecordException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The state machine: claim, body, encode, complete; or wait, replay, refuse. A body is started only by a call that
 * holds the claim; every other path ends in an {@link Outcome} that did not run it. Thread-safe.
 */
public final class IdempotencyEngine {

    private static final Duration FIRST_POLL = Duration.ofMillis(10);
    private static final Duration LONGEST_POLL = Duration.ofMillis(250);

    private final ExecutionServices services;
    private final Settlement settlement;
    private final OwnedRun ownedRun;
    private final UnprotectedRun unprotectedRun;
    private final TransactionalRun transactionalRun;
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
        return call.operation().policy().transactional()
                ? transactionalRun.run(call, attempt.claim)
                : attempt.start().toCompletableFuture().join();
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
        return new Attempt(call, executing).start();
    }

    /** One call on its way, possibly claiming again and again while it waits. */
    private final class Attempt {
        private final Invocation call;
        private final Dispatch dispatch;
        private final Operation.Policy policy;
        private final Claim claim;
        private final long startedNanos = services.nanoTime().getAsLong();
        private Duration poll = FIRST_POLL;
        private boolean answered;

        Attempt(Invocation call, Dispatch dispatch) {
            this.call = call;
            this.dispatch = dispatch;
            this.policy = call.operation().policy();
            this.claim = new Claim(
                    call.id(),
                    call.operation().name(),
                    call.fingerprint(),
                    services.tokens().get(),
                    policy.lease(),
                    policy.inDoubtRetention(),
                    takesOver(policy));
        }

        /** A transaction asks no reconciler, so it may not run again what only a reconciler could permit. */
        private static boolean takesOver(Operation.Policy policy) {
            return switch (policy.onAbandoned()) {
                case REFUSE -> false;
                case RECONCILE -> !policy.transactional();
                case TAKE_OVER -> true;
            };
        }

        /** A loop as far as stages are complete at once, so that a synchronous waiter's stack does not grow. */
        CompletionStage<Outcome> start() {
            CompletableFuture<Optional<Outcome>> step = once().toCompletableFuture();
            while (step.isDone()
                    && !step.isCompletedExceptionally()
                    && step.join().isEmpty()) {
                step = once().toCompletableFuture();
            }
            return step.thenCompose(outcome -> outcome.isPresent() ? completed(outcome.get()) : start());
        }

        /** Empty when the call has waited and is to claim again. */
        private CompletionStage<Optional<Outcome>> once() {
            long sent = services.nanoTime().getAsLong();
            return dispatch.ask(call.operation().store(), store -> store.claim(claim))
                    .handle((result, failure) ->
                            failure == null ? decide(result, sent) : claimFailed(Dispatch.unwrapped(failure)))
                    .thenCompose(Function.identity());
        }

        private CompletionStage<Optional<Outcome>> decide(ClaimResult result, long sent) {
            answered = true;
            // no default: a new kind of answer must not fall through to running the body
            if (result instanceof ClaimResult.Acquired acquired) {
                return acquired(acquired, sent);
            } else if (result instanceof ClaimResult.Duplicate duplicate) {
                return duplicate(duplicate.record());
            }
            return completed(Optional.of(Replay.of(call, result)));
        }

        private CompletionStage<Optional<Outcome>> acquired(ClaimResult.Acquired acquired, long sent) {
            long took = services.nanoTime().getAsLong() - sent;
            if (took >= policy.lease().toNanos()) {
                settlement.abandon(call.operation(), claim);
                return refuse(Refusals.answeredTooLate(call, Duration.ofNanos(took)));
            }
            Ownership ownership = new Ownership(claim.id(), claim.owner(), acquired.fence());
            ActiveClaim active = new ActiveClaim(call, ownership, acquired.attempt(), sent, services.nanoTime());
            return ownedRun.run(active, dispatch).thenApply(Optional::of);
        }

        private CompletionStage<Optional<Outcome>> duplicate(StoredRecord record) {
            return record.state() == RecordState.IN_PROGRESS
                            && policy.whenInProgress() == WhenInProgress.WAIT
                            && waitedNanos() < policy.waitTimeout().toNanos()
                    ? pause()
                    : completed(Optional.of(Replay.of(call, record)));
        }

        private long waitedNanos() {
            return services.nanoTime().getAsLong() - startedNanos;
        }

        /** The waiter claims again rather than looks: a released key must find exactly one new owner. */
        private CompletionStage<Optional<Outcome>> pause() {
            CompletableFuture<Optional<Outcome>> over = new CompletableFuture<>();
            long nanos = (long) (poll.toNanos() * (0.5 + services.jitter().getAsDouble() / 2));
            services.timer().after(Duration.ofNanos(nanos), () -> over.complete(Optional.empty()));
            Duration doubled = poll.multipliedBy(2);
            poll = doubled.compareTo(LONGEST_POLL) < 0 ? doubled : LONGEST_POLL;
            return dispatch.await(over);
        }

        /** A store that has answered this call knows of another one: that is never overridden. */
        private CompletionStage<Optional<Outcome>> claimFailed(Throwable failure) {
            if (failure instanceof UnreadableRecordException) {
                return refuse(Refusals.unreadable(call, failure));
            }
            if (policy.onStoreFailure() == OnStoreFailure.PROCEED && !answered) {
                return unprotectedRun.run(call, claim, failure).thenApply(Optional::of);
            }
            settlement.abandon(call.operation(), claim);
            return refuse(Refusals.storeUnavailable(call, failure));
        }

        private static CompletionStage<Optional<Outcome>> refuse(IdempotencyException reason) {
            return completed(Optional.of(new Outcome.Refused(reason)));
        }

        private static <T> CompletionStage<T> completed(T value) {
            return CompletableFuture.completedFuture(value);
        }
    }
}

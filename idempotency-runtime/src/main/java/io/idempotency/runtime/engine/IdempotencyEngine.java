package io.idempotency.runtime.engine;

import io.idempotency.WhenInProgress;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.store.IdempotencyStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The state machine: claim, body, encode, complete; or wait, replay, refuse. A body is started only by a call that
 * holds the claim; every other path ends in an {@link Outcome} that did not run it. Thread-safe.
 */
public final class IdempotencyEngine {

    private final ExecutionServices services;
    private final OutcomeRecorder recorder;
    private final InFlightGate gate = new InFlightGate();
    private final ClaimAttempt.Parts parts;
    private final TransactionalRun transactionalRun;
    private final Reload reload;
    private final SingleFlight singleFlight = new SingleFlight();
    private final StoreInvoker callersThread = new StoreInvoker.Caller();
    private final StoreInvoker.Executing executing;

    /**
     * An engine.
     *
     * @param services its surroundings
     */
    public IdempotencyEngine(ExecutionServices services) {
        this.services = services;
        this.recorder = new OutcomeRecorder(services);
        Failures failures = new Failures(services.classifiers(), services.sanitizer());
        RunningHere runningHere = new RunningHere();
        this.parts = new ClaimAttempt.Parts(
                services,
                recorder,
                runningHere,
                new OwnedRun(services, recorder, failures, runningHere),
                new UnprotectedRun(services, recorder, failures));
        this.transactionalRun = new TransactionalRun(services);
        this.reload = new Reload(services);
        this.executing = new StoreInvoker.Executing(services);
    }

    /**
     * Executes a call on the calling thread; the body runs there too.
     *
     * @param call the call, whose body returns completed stages
     * @return what it came to; never throws for what the body or the store did
     */
    public Outcome execute(Invocation call) {
        StackReserve.require();
        CallScope scope = new CallScope(gate);
        Outcome outcome;
        try {
            ClaimAttempt attempt = new ClaimAttempt(call, callersThread, scope, parts);
            CompletionStage<Outcome> come = call.operation().policy().transactional()
                    ? transactional(attempt, call, scope)
                    : start(attempt, call, callersThread, scope, null);
            outcome = come.toCompletableFuture().join();
        } finally {
            scope.close();
        }
        return reload.instead(call, outcome).toCompletableFuture().join();
    }

    private CompletionStage<Outcome> transactional(ClaimAttempt attempt, Invocation call, CallScope scope) {
        return scope.enter(call.nested())
                ? CompletableFuture.completedFuture(transactionalRun.run(call, attempt.request(true)))
                : attempt.look().thenCompose(attempt::answer);
    }

    /**
     * Executes a call that is not transactional on the calling thread, as far as it comes without waiting for its body. The
     * rest follows on another thread once the body's stage is complete.
     *
     * @param call the call, whose body runs on this thread
     * @return what it comes to; complete when the body's stage was
     */
    public CompletionStage<Outcome> begin(Invocation call) {
        Invocation begun = call.with(claim -> {
            CompletableFuture<? extends @Nullable Object> stage =
                    call.body().run(claim).toCompletableFuture();
            return stage.isDone() ? stage : executing.after(call.operation().store(), stage);
        });
        return started(begun, callersThread, null);
    }

    /**
     * Executes a call without blocking the calling thread.
     *
     * @param call the call
     * @return what it came to; fails only by a defect of this library
     * @throws IllegalArgumentException for a transactional operation, whose transaction belongs to a thread
     */
    public CompletionStage<Outcome> executeAsync(Invocation call) {
        return executeAsync(call, null);
    }

    /**
     * Executes a call without blocking the calling thread, for a caller that may go away.
     *
     * @param call the call
     * @param gone completes when the caller has gone: a body that runs goes on, but the call waits for no duplicate any more;
     *     null for a caller that stays
     * @return what it came to; fails only by a defect of this library
     * @throws IllegalArgumentException for a transactional operation, whose transaction belongs to a thread
     */
    public CompletionStage<Outcome> executeAsync(Invocation call, @Nullable CompletionStage<?> gone) {
        if (call.operation().policy().transactional()) {
            throw new IllegalArgumentException("Operation '" + call.operation().name()
                    + "' is transactional and its method asynchronous. The body did not run. Return the value itself,"
                    + " or remove transactional = true.");
        }
        return started(call, executing, gone);
    }

    private CompletionStage<Outcome> started(Invocation call, StoreInvoker invoker, @Nullable CompletionStage<?> gone) {
        StackReserve.require();
        CallScope scope = new CallScope(gate);
        try {
            CompletionStage<Outcome> ended = start(
                            new ClaimAttempt(call, invoker, scope, parts), call, invoker, scope, gone)
                    .whenComplete((outcome, defect) -> scope.close());
            return call.reloader() == null ? ended : ended.thenCompose(outcome -> reload.instead(call, outcome));
        } catch (Throwable e) {
            scope.abort();
            throw e;
        }
    }

    private CompletionStage<Outcome> start(
            ClaimAttempt attempt,
            Invocation call,
            StoreInvoker invoker,
            CallScope scope,
            @Nullable CompletionStage<?> gone) {
        Operation.Policy policy = call.operation().policy();
        boolean waits = policy.whenInProgress() == WhenInProgress.WAIT
                && policy.waitTimeout().compareTo(Duration.ZERO) > 0;
        if (waits) {
            return new WaitingCall(call, invoker, attempt, singleFlight, scope, services).start(gone);
        }
        Optional<ClaimDecision> known = attempt.knownHere();
        return known.isPresent()
                ? attempt.answer(known.get())
                : attempt.claim(true, true).thenCompose(attempt::answer);
    }

    /**
     * What is left when the time to shut down is over.
     *
     * @param running calls that still claim or run their body; their keys end in doubt
     * @param untold what stores could not be told yet; the keys of outcomes among them end in doubt
     */
    public record Left(int running, int untold) {}

    /**
     * Starts no new body from now on, lets the running ones end, and tells the stores what they have not been told. Other
     * calls are answered from their records, or refused; those that still wait for a running one when the time is over are
     * told so, and those whose outcome the store has not been told yet get it all the same. The engine stays as it is then,
     * for ever.
     *
     * @param limit how long
     * @return what is left, at the latest when the time is over
     */
    public CompletionStage<Left> shutDown(Duration limit) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        try {
            services.timer().after(limit, () -> over.complete(null));
        } catch (RejectedExecutionException e) {
            over.complete(null); // too late: nothing is told any more
        }
        CompletionStage<Void> empty = gate.close();
        singleFlight.wakeAll();
        recorder.hurry();
        empty.thenCompose(ended -> recorder.told())
                .thenCompose(told -> singleFlight.ended()) // duplicates that waited ask the store once more
                .thenRun(() -> over.complete(null));
        return over.thenApply(ended -> {
            singleFlight.dismissAll();
            recorder.dismissAll();
            return new Left(gate.inside(), recorder.untold());
        });
    }

    /**
     * How many calls claim or run their body at the moment.
     *
     * @return the number, at once out of date
     */
    public int running() {
        return gate.inside();
    }

    /**
     * How many calls wait for a duplicate of theirs at the moment.
     *
     * @return the number, at once out of date
     */
    public int waiting() {
        return singleFlight.waiting();
    }

    /**
     * What a store has still to be told.
     *
     * @param calls of so many calls
     * @param bytes how much memory their results take
     */
    public record Backlog(int calls, long bytes) {}

    /**
     * What a store has still to be told at the moment.
     *
     * @param store which store
     * @return none unless it failed
     */
    public Backlog backlog(IdempotencyStore store) {
        return recorder.backlog(store);
    }
}

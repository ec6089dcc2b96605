package io.idempotency.runtime.engine;

import io.idempotency.ResultUnavailableException;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.answer.Refusals;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.outcome.UnopenedOutcomeException;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Executes calls at most once per key: claims the key, runs the body, records the outcome and answers; or waits,
 * replays or refuses. A call starts its body only under a claim, or where its operation proceeds without the store;
 * every other path ends in an {@link Outcome} that did not run it. Blocks; asynchronous calls run on the executor of
 * {@link ExecutionServices}. Thread-safe.
 */
public final class IdempotencyEngine {

    /** How long a task waits for a thread of the executor before the store's maintenance thread runs it. */
    static final Duration PATIENCE = Duration.ofMillis(100);

    final ExecutionServices services;
    final InFlightGate gate = new InFlightGate();
    final Waiting waiting;
    private final Map<IdempotencyStore, LeaseKeeper> leases = new ConcurrentHashMap<>();
    private final Map<IdempotencyStore, Unrecorded> unrecorded = new ConcurrentHashMap<>();

    /** How many calls of each key are in a transaction, or wait there for another's. */
    private final Map<RecordId, Integer> transactions = new ConcurrentHashMap<>();

    /** Creates an engine. */
    public IdempotencyEngine(ExecutionServices services) {
        this.services = services;
        this.waiting = new Waiting(services);
    }

    LeaseKeeper leases(IdempotencyStore store) {
        return leases.computeIfAbsent(store, named -> new LeaseKeeper(named, services));
    }

    Unrecorded unrecorded(IdempotencyStore store) {
        return unrecorded.computeIfAbsent(store, named -> new Unrecorded(named, services));
    }

    /** Executes a call and its body on the calling thread. The outcome covers whatever the body or the store threw. */
    public Outcome execute(Invocation call) {
        if (call.operation().policy().transactional()) {
            return reloaded(call, transactional(call));
        }
        Outcome outcome;
        try (ProtectedExecution run = new ProtectedExecution(call, this)) {
            outcome = run.begin(null);
            if (outcome == null) {
                CompletableFuture<@Nullable Object> body = run.start();
                BlockingCalls.awaitEnd(services.time(), body);
                outcome = run.finish(body, true);
            }
        }
        return reloaded(call, outcome);
    }

    private Outcome transactional(Invocation call) {
        Unrecorded unrecorded = unrecorded(call.operation().store());
        ClaimAttempt attempt = new ClaimAttempt(
                call,
                services,
                leases(call.operation().store()),
                unrecorded,
                services.tokens().get());
        if (!gate.enter(call.nested())) {
            return attempt.look().answer().apply(call);
        }
        int most = services.maxWaitersPerKey();
        int others = transactions.merge(call.id(), 1, Integer::sum) - 1;
        try {
            // each that waits for the key's row holds a connection of the application
            return others > most && !TransactionalExecution.lockTimeout(call).isZero()
                    ? Refusals.tooManyWait(call, most)
                    : new TransactionalExecution(services, unrecorded).run(call, attempt.request(true));
        } finally {
            transactions.computeIfPresent(call.id(), (id, calls) -> calls == 1 ? null : calls - 1);
            gate.leave();
        }
    }

    /**
     * Executes a non-transactional call on the calling thread up to the stage that its body returns. Another thread
     * finishes the call once that stage is complete.
     *
     * @param call the call, whose body starts on this thread
     * @return the outcome; complete on return if the body's stage was
     */
    public CompletionStage<Outcome> begin(Invocation call) {
        return begin(call, null);
    }

    private CompletableFuture<Outcome> begin(Invocation call, @Nullable CompletionStage<?> gone) {
        ProtectedExecution run = new ProtectedExecution(call, this);
        CompletableFuture<@Nullable Object> body;
        try {
            Outcome known = run.begin(gone);
            if (known != null) {
                run.close();
                return CompletableFuture.completedFuture(reloaded(call, known));
            }
            body = run.start();
        } catch (RuntimeException | Error e) {
            run.close();
            throw e;
        }
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        AtomicBoolean begun = new AtomicBoolean();
        Consumer<Boolean> finish = maintained -> {
            if (begun.compareAndSet(false, true)) {
                finish(call, run, body, outcome, maintained);
            }
        };
        if (body.isDone()) {
            finish.accept(false);
        } else {
            Runnable maintained = () -> finish.accept(true);
            body.whenComplete((value, failure) -> {
                onExecutor(() -> finish.accept(false), refused -> elsewhere(call, Duration.ZERO, maintained));
                if (run.othersMayWait()) { // all threads of a small executor may be waiting for this outcome
                    elsewhere(call, PATIENCE, maintained);
                }
            });
        }
        return outcome;
    }

    /** Records the outcome here. A maintenance thread neither waits for a store nor runs what may follow the answer. */
    private void finish(
            Invocation call,
            ProtectedExecution run,
            CompletableFuture<@Nullable Object> body,
            CompletableFuture<Outcome> outcome,
            boolean maintained) {
        Outcome recorded;
        try (run) {
            recorded = run.finish(body, !maintained);
        } catch (Throwable e) { // a future must not stay incomplete
            outcome.completeExceptionally(e);
            return;
        }
        Runnable answer = () -> {
            try {
                outcome.complete(reloaded(call, recorded));
            } catch (Throwable e) {
                outcome.completeExceptionally(e);
            }
        };
        if (maintained) {
            onExecutor(answer, refused -> answer.run());
        } else {
            answer.run();
        }
    }

    /** Replaces a refusal that lacks only the result by what the reloader finds; any other outcome is unchanged. */
    private Outcome reloaded(Invocation call, Outcome outcome) {
        Invocation.Reloader reloader = call.reloader();
        if (reloader == null
                || !(outcome instanceof Outcome.Refused refused)
                || !(refused.reason() instanceof ResultUnavailableException)
                || refused.reason().getCause() instanceof UnopenedOutcomeException) {
            return outcome;
        }
        CompletableFuture<@Nullable Object> result = BlockingCalls.started(reloader, ActiveClaim.none(call, services));
        BlockingCalls.awaitEnd(services.time(), result);
        Throwable failure = BlockingCalls.failure(result);
        Object value = failure == null ? result.join() : null;
        if (value != null) {
            return new Outcome.Replayed(value);
        }
        Outcome.Refused unavailable = failure == null
                ? Refusals.notReloaded(call, "knows none", null)
                : Refusals.notReloaded(call, "failed", BlockingCalls.unwrapped(failure));
        unavailable.reason().addSuppressed(refused.reason());
        return unavailable;
    }

    /** {@link #executeAsync(Invocation, CompletionStage)} for a caller that stays. */
    public CompletionStage<Outcome> executeAsync(Invocation call) {
        return executeAsync(call, null);
    }

    /**
     * Executes a call without blocking the calling thread, for a caller that may go away. A thread of the executor asks
     * the store, waits for duplicates and starts the body; while the body's stage is incomplete no thread is blocked.
     *
     * @param gone completes when the caller has gone: a running body goes on, but the call stops waiting for a
     *     duplicate; null for a caller that stays
     * @return the outcome; fails only through a defect of this library
     * @throws IllegalArgumentException for a transactional operation, whose transaction belongs to a thread
     */
    public CompletionStage<Outcome> executeAsync(Invocation call, @Nullable CompletionStage<?> gone) {
        if (call.operation().policy().transactional()) {
            throw new IllegalArgumentException("Operation '" + call.operation().name()
                    + "' is transactional and its method asynchronous. The body did not run. Return the value itself,"
                    + " or remove transactional = true.");
        }
        CompletableFuture<CompletableFuture<Outcome>> begun = new CompletableFuture<>();
        onExecutor(
                () -> {
                    try {
                        begun.complete(begin(call, gone));
                    } catch (RuntimeException | Error e) {
                        begun.completeExceptionally(e);
                    }
                },
                refused -> begun.complete(CompletableFuture.completedFuture(Refusals.noThread(call, refused))));
        return begun.thenCompose(Function.identity());
    }

    /** Runs a task or reports its refusal, never both: an executor that throws may have accepted the task. */
    private void onExecutor(Runnable task, Consumer<Throwable> refused) {
        AtomicBoolean decided = new AtomicBoolean();
        try {
            services.executor().execute(() -> {
                if (decided.compareAndSet(false, true)) {
                    task.run();
                }
            });
        } catch (Throwable e) { // an executor that can make no thread throws an Error
            if (decided.compareAndSet(false, true)) {
                refused.accept(e);
            }
        }
    }

    /** Runs a task on the store's maintenance thread, or here if that is refused: an outcome must be recorded. */
    private void elsewhere(Invocation call, Duration delay, Runnable task) {
        try {
            services.maintenance().after(call.operation().store(), delay, task);
        } catch (RejectedExecutionException e) {
            task.run();
        }
    }

    /**
     * The work that a shutdown left unfinished.
     *
     * @param running calls that still claim or run their body; their keys end in doubt
     * @param untold outcomes and other messages that the stores have not taken; the keys of these outcomes end in doubt
     */
    public record Left(int running, int untold) {}

    /**
     * Shuts the engine down for good: starts no new body, lets running bodies end, and records the outcomes that stores
     * have not taken yet. Other calls are answered from their records or refused. When the time is over, duplicates
     * that still wait are refused, and callers whose outcome is not recorded get it all the same. Blocks until all of
     * that is done.
     *
     * @param limit the longest time to block
     * @return the work that is still unfinished
     */
    public Left shutDown(Duration limit) {
        long begun = services.time().nanos();
        CompletableFuture<?> running = gate.close();
        waiting.wakeAll();
        unrecorded.values().forEach(Unrecorded::hurry);
        await(running, limit, begun);
        unrecorded.values().forEach(Unrecorded::hurry); // includes stores that have failed only since then
        unrecorded.values().forEach(each -> await(each.empty(), limit, begun));
        await(waiting.ended(), limit, begun); // duplicates that waited ask the store once more
        waiting.dismissAll(this::dismissed);
        unrecorded.values().forEach(Unrecorded::dismiss);
        return new Left(
                gate.inside(),
                unrecorded.values().stream()
                        .mapToInt(each -> each.backlog().calls())
                        .sum());
    }

    /** Answers a duplicate that still waits at the end of a shutdown. */
    private Outcome dismissed(Invocation call) {
        boolean runs = leases(call.operation().store()).keeping(call) != null;
        return runs ? Refusals.runsOn(call) : Refusals.shuttingDown(call);
    }

    private void await(CompletableFuture<?> end, Duration limit, long begun) {
        ElapsedTime time = services.time();
        BlockingCalls.awaitEnd(time, end, limit.toNanos() - (time.nanos() - begun));
    }

    /** Returns how many calls claim or run their body at the moment; the number may be out of date at once. */
    public int running() {
        return gate.inside();
    }

    /** Returns how many calls wait for a duplicate at the moment; the number may be out of date at once. */
    public int waiting() {
        return waiting.waiting();
    }

    /** The messages that a store has not taken yet: of how many calls, and the bytes of their results. */
    public record Backlog(int calls, long bytes) {}

    /** Returns the size of a store's backlog; zeros unless the store failed. */
    public Backlog backlog(IdempotencyStore store) {
        Unrecorded known = unrecorded.get(store);
        return known == null ? new Backlog(0, 0) : known.backlog();
    }
}

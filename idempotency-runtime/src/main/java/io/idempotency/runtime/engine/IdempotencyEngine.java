package io.idempotency.runtime.engine;

import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.answer.Refusals;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.store.IdempotencyStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Executes calls at most once per key: claim, body, record, answer; or wait, replay, refuse. A body is started only by a call that
 * holds the claim; every other path ends in an {@link Outcome} that did not run it. Blocks; asynchronous calls run on the
 * {@linkplain ExecutionServices#executor() executor}. Thread-safe.
 */
public final class IdempotencyEngine {

    /** How long to wait for a thread of the executor before the store's own thread finishes a call. */
    private static final Duration PATIENCE = Duration.ofMillis(100);

    private final Parts parts;
    private final TransactionalExecution transactionalRun;

    /**
     * Creates an engine.
     *
     * @param services its surroundings
     */
    public IdempotencyEngine(ExecutionServices services) {
        this.parts = new Parts(services);
        this.transactionalRun = new TransactionalExecution(services);
    }

    /** The state that all calls share. */
    record Parts(
            ExecutionServices services,
            Failures failures,
            InFlightGate gate,
            Waiting waiting,
            Map<IdempotencyStore, LeaseKeeper> leases,
            Map<IdempotencyStore, Unrecorded> unrecorded) {

        Parts(ExecutionServices services) {
            this(
                    services,
                    new Failures(services.classifiers(), services.sanitizer()),
                    new InFlightGate(),
                    new Waiting(services),
                    new ConcurrentHashMap<>(),
                    new ConcurrentHashMap<>());
        }

        LeaseKeeper leases(IdempotencyStore store) {
            return leases.computeIfAbsent(store, named -> new LeaseKeeper(named, services));
        }

        Unrecorded unrecorded(IdempotencyStore store) {
            return unrecorded.computeIfAbsent(store, named -> new Unrecorded(named, services));
        }
    }

    /**
     * Executes a call on the calling thread; the body runs there too.
     *
     * @param call the call
     * @return its outcome; never throws for what the body or the store did
     */
    public Outcome execute(Invocation call) {
        if (call.operation().policy().transactional()) {
            return Reloading.reloaded(call, transactional(call), parts.services());
        }
        Outcome outcome;
        try (ProtectedExecution run = new ProtectedExecution(call, parts)) {
            outcome = run.begin(null);
            if (outcome == null) {
                CompletableFuture<@Nullable Object> body = run.start();
                BlockingCalls.awaitEnd(parts.services().time(), body);
                outcome = run.finish(body);
            }
        }
        return Reloading.reloaded(call, outcome, parts.services());
    }

    private Outcome transactional(Invocation call) {
        ClaimAttempt attempt = new ClaimAttempt(
                call, parts.services(), parts.unrecorded(call.operation().store()));
        if (!parts.gate().enter(call.nested())) {
            return ((ClaimAttempt.Decision.Known) attempt.look()).answer().apply(call);
        }
        try {
            return transactionalRun.run(call, attempt.request(true));
        } finally {
            parts.gate().leave();
        }
    }

    /**
     * Executes a call that is not transactional on the calling thread, as far as it comes without waiting for its body's stage. The
     * rest follows on another thread once that is complete.
     *
     * @param call the call, whose body starts on this thread
     * @return its outcome; complete when the body's stage was
     */
    public CompletionStage<Outcome> begin(Invocation call) {
        return begin(call, null);
    }

    private CompletableFuture<Outcome> begin(Invocation call, @Nullable CompletionStage<?> gone) {
        ProtectedExecution run = new ProtectedExecution(call, parts);
        CompletableFuture<@Nullable Object> body;
        try {
            Outcome known = run.begin(gone);
            if (known != null) {
                run.close();
                return CompletableFuture.completedFuture(Reloading.reloaded(call, known, parts.services()));
            }
            body = run.start();
        } catch (RuntimeException | Error e) {
            run.close();
            throw e;
        }
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        Runnable finish = once(() -> complete(outcome, () -> finished(call, run, body)));
        if (body.isDone()) {
            finish.run();
        } else {
            body.whenComplete((value, failure) -> {
                onExecutor(finish, refused -> elsewhere(call, Duration.ZERO, finish));
                if (run.othersMayWait()) { // all threads of a small executor may wait for this outcome
                    elsewhere(call, PATIENCE, finish);
                }
            });
        }
        return outcome;
    }

    private static Runnable once(Runnable task) {
        AtomicBoolean begun = new AtomicBoolean();
        return () -> {
            if (begun.compareAndSet(false, true)) {
                task.run();
            }
        };
    }

    private Outcome finished(Invocation call, ProtectedExecution run, CompletableFuture<@Nullable Object> body) {
        Outcome outcome;
        try (run) {
            outcome = run.finish(body);
        }
        return Reloading.reloaded(call, outcome, parts.services());
    }

    @SuppressWarnings("CatchingUnchecked") // a future must not stay incomplete
    private static void complete(CompletableFuture<Outcome> outcome, Supplier<Outcome> result) {
        try {
            outcome.complete(result.get());
        } catch (Throwable e) {
            outcome.completeExceptionally(e);
        }
    }

    /**
     * Executes a call without blocking the calling thread.
     *
     * @param call the call
     * @return its outcome; fails only by a defect of this library
     * @throws IllegalArgumentException for a transactional operation, whose transaction belongs to a thread
     */
    public CompletionStage<Outcome> executeAsync(Invocation call) {
        return executeAsync(call, null);
    }

    /**
     * Executes a call without blocking the calling thread, for a caller that may go away. A thread of the executor asks the store,
     * waits for duplicates and starts the body; while the body's stage is incomplete no thread is held.
     *
     * @param call the call
     * @param gone completes when the caller has gone: a body that runs goes on, but the call waits for no duplicate any more;
     *     null for a caller that stays
     * @return its outcome; fails only by a defect of this library
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
                refused -> begun.complete(
                        CompletableFuture.completedFuture(new Outcome.Refused(Refusals.noThread(call, refused)))));
        return begun.thenCompose(Function.identity());
    }

    /** Runs a task, or refuses it, but never both: an executor that throws may have taken it all the same. */
    @SuppressWarnings("CatchingUnchecked") // an executor that can make no thread throws an Error
    private void onExecutor(Runnable task, Consumer<Throwable> refused) {
        AtomicBoolean decided = new AtomicBoolean();
        try {
            parts.services().executor().execute(() -> {
                if (decided.compareAndSet(false, true)) {
                    task.run();
                }
            });
        } catch (Throwable e) {
            if (decided.compareAndSet(false, true)) {
                refused.accept(e);
            }
        }
    }

    /** Runs a task on the store's own thread, or on this one when that takes none: the outcome of a body has to be recorded. */
    private void elsewhere(Invocation call, Duration delay, Runnable task) {
        try {
            parts.services().maintenance().after(call.operation().store(), delay, task);
        } catch (RejectedExecutionException e) {
            task.run();
        }
    }

    /**
     * What is left when the time for the shutdown is over.
     *
     * @param running calls that still claim or run their body; their keys end in doubt
     * @param untold outcomes and other messages that the stores have not taken; the keys of these outcomes end in doubt
     */
    public record Left(int running, int untold) {}

    /**
     * Shuts the engine down for good: starts no new body, lets running bodies end, and records the outcomes that stores have not
     * taken yet. Other calls are answered from their records or refused. When the time is over, duplicates that still wait are
     * refused, and callers whose outcome is not recorded get it all the same. Blocks until all of that is done.
     *
     * @param limit how long at most
     * @return what is left
     */
    public Left shutDown(Duration limit) {
        long begun = parts.services().time().nanos();
        CompletableFuture<?> running = parts.gate().close().toCompletableFuture();
        parts.waiting().wakeAll();
        parts.unrecorded().values().forEach(Unrecorded::hurry);
        await(running, limit, begun);
        parts.unrecorded().values().forEach(Unrecorded::hurry); // of stores that failed since for the first time, too
        parts.unrecorded().values().forEach(each -> await(each.empty(), limit, begun));
        await(parts.waiting().ended(), limit, begun); // duplicates that waited ask the store once more
        parts.waiting().dismissAll();
        parts.unrecorded().values().forEach(Unrecorded::dismiss);
        return new Left(
                parts.gate().inside(),
                parts.unrecorded().values().stream()
                        .mapToInt(each -> each.backlog().calls())
                        .sum());
    }

    private void await(CompletableFuture<?> end, Duration limit, long begun) {
        ElapsedTime time = parts.services().time();
        BlockingCalls.awaitEnd(time, end, limit.toNanos() - (time.nanos() - begun));
    }

    /**
     * Returns how many calls claim or run their body at the moment.
     *
     * @return the number, at once out of date
     */
    public int running() {
        return parts.gate().inside();
    }

    /**
     * Returns how many calls wait for a duplicate of theirs at the moment.
     *
     * @return the number, at once out of date
     */
    public int waiting() {
        return parts.waiting().waiting();
    }

    /**
     * The messages that a store has not taken yet.
     *
     * @param calls how many calls they are of
     * @param bytes the size of their results, in bytes
     */
    public record Backlog(int calls, long bytes) {}

    /**
     * Returns how much a store has not taken yet.
     *
     * @param store the store
     * @return none unless it failed
     */
    public Backlog backlog(IdempotencyStore store) {
        Unrecorded unrecorded = parts.unrecorded().get(store);
        return unrecorded == null ? new Backlog(0, 0) : unrecorded.backlog();
    }
}

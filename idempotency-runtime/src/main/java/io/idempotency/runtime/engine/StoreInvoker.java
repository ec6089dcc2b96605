package io.idempotency.runtime.engine;

import io.idempotency.IdempotencyContext;
import io.idempotency.runtime.store.IdempotencyStore;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** On which thread one call goes on after it asked the store. The state machine is written once, over stages. */
sealed interface StoreInvoker {

    /**
     * Asks the store before there is anything to lose.
     *
     * @param store whom to ask
     * @param limit how long to wait for its answer; then the stage fails with a {@code TimeoutException}
     * @param question a method of the store; what it throws fails the stage
     * @param <T> the answer's type
     * @return the answer, or {@link HandOverRefusedException} when there is no thread for it
     */
    <T> CompletionStage<T> ask(
            IdempotencyStore store, Duration limit, Function<IdempotencyStore, CompletionStage<T>> question);

    /**
     * Tells the store what became of a body: whatever happens to threads, this is tried.
     *
     * @param store whom to tell
     * @param verb a method of the store; what it throws fails the stage
     * @param <T> the answer's type
     * @return the answer, on any thread
     */
    <T> CompletionStage<T> tell(IdempotencyStore store, Function<IdempotencyStore, CompletionStage<T>> verb);

    /**
     * Waits for an answer to what was told.
     *
     * @param store who was told
     * @param answer completed by somebody else, or by {@code over}
     * @param limit how long to wait
     * @param over completes the answer when it did not come in time
     * @param <T> its type
     * @return the same, on the call's own thread, or on another one where that is refused
     */
    <T> CompletionStage<T> within(IdempotencyStore store, CompletableFuture<T> answer, Duration limit, Runnable over);

    /**
     * Waits for a duplicate.
     *
     * @param store the store of the key
     * @param turn completed by somebody else
     * @param interrupted run when the waiting thread is interrupted; it makes the turn come
     * @param <T> its type
     * @return the same, on the call's own thread, or {@link HandOverRefusedException} when that is refused
     */
    <T> CompletionStage<T> waitFor(IdempotencyStore store, CompletableFuture<T> turn, Runnable interrupted);

    /** There is no thread on which the call could go on: an executor is full, shut down, or failed. */
    final class HandOverRefusedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        HandOverRefusedException(Throwable cause) {
            super("The executor took no task", cause);
        }
    }

    /** The caller's thread does everything, as a synchronous method's caller expects; every stage is complete. */
    record Caller() implements StoreInvoker {
        @Override
        public <T> CompletionStage<T> ask(
                IdempotencyStore store, Duration limit, Function<IdempotencyStore, CompletionStage<T>> question) {
            CompletionStage<T> asked = tell(store, question);
            if (Stages.isDone(asked)) {
                return asked;
            }
            CompletableFuture<T> answer = new CompletableFuture<>(); // not the driver's, which may still need its own
            asked.whenComplete((value, failure) -> complete(answer, value, failure));
            return within(store, answer, limit, () -> answer.completeExceptionally(tooLate(limit)));
        }

        /** An interrupted thread must still be able to record what happened; some drivers close on interruption. */
        @Override
        public <T> CompletionStage<T> tell(
                IdempotencyStore store, Function<IdempotencyStore, CompletionStage<T>> verb) {
            boolean interrupted = Thread.interrupted();
            try {
                return guarded(store, verb);
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        @Override
        public <T> CompletionStage<T> within(
                IdempotencyStore store, CompletableFuture<T> answer, Duration limit, Runnable over) {
            long until = System.nanoTime() + limit.toNanos();
            boolean interrupted = false;
            while (!answer.isDone()) {
                try {
                    answer.get(Math.max(0, until - System.nanoTime()), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true; // what was sent has to be heard of
                } catch (TimeoutException e) {
                    over.run();
                } catch (ExecutionException | CancellationException e) {
                    break; // the failure is handled by the stage that composes on it
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            return answer;
        }

        /** A caller that only waits for another call may leave at once. */
        @Override
        public <T> CompletionStage<T> waitFor(IdempotencyStore store, CompletableFuture<T> turn, Runnable interrupted) {
            try {
                turn.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                interrupted.run();
                turn.handle((come, failure) -> come).join(); // it comes at once
            } catch (ExecutionException | CancellationException e) {
                return turn; // handled by the stage that composes on it
            }
            return turn;
        }
    }

    /**
     * Nothing blocks: a blocking store is asked on the executor, and what follows an answer that has to be waited for runs
     * there too, never on a driver's event loop, nor on the timer's thread. After an answer at once the caller's thread goes on.
     *
     * @param services executor, upkeep and timer
     */
    record Executing(ExecutionServices services) implements StoreInvoker {
        @Override
        public <T> CompletionStage<T> ask(
                IdempotencyStore store, Duration limit, Function<IdempotencyStore, CompletionStage<T>> question) {
            CompletableFuture<T> come = new CompletableFuture<>();
            Consumer<Throwable> refused = cause -> come.completeExceptionally(new HandOverRefusedException(cause));
            handOver(
                    store,
                    () -> guarded(store, question).whenComplete((value, failure) -> complete(come, value, failure)),
                    refused);
            limit(come, limit, () -> handOver(store, () -> come.completeExceptionally(tooLate(limit)), refused));
            return come;
        }

        @Override
        public <T> CompletionStage<T> tell(
                IdempotencyStore store, Function<IdempotencyStore, CompletionStage<T>> verb) {
            CompletableFuture<T> told = new CompletableFuture<>();
            Runnable task = () -> guarded(store, verb).whenComplete((value, failure) -> complete(told, value, failure));
            handOver(store, task, cause -> task.run());
            return told;
        }

        @Override
        public <T> CompletionStage<T> within(
                IdempotencyStore store, CompletableFuture<T> answer, Duration limit, Runnable over) {
            limit(answer, limit, over);
            return after(store, answer);
        }

        /** Goes on after a body, or after what was told of it: on the executor, or on another thread where that is refused. */
        <T extends @Nullable Object> CompletionStage<T> after(
                IdempotencyStore store, CompletionStage<? extends T> ended) {
            CompletableFuture<T> come = new CompletableFuture<>();
            ended.whenComplete((value, failure) -> {
                Runnable task = () -> complete(come, value, failure);
                handOver(store, task, cause -> task.run());
            });
            return come;
        }

        @Override
        public <T> CompletionStage<T> waitFor(IdempotencyStore store, CompletableFuture<T> turn, Runnable interrupted) {
            CompletableFuture<T> come = new CompletableFuture<>();
            turn.whenComplete((value, failure) -> handOver(
                    store,
                    () -> complete(come, value, failure),
                    cause -> come.completeExceptionally(new HandOverRefusedException(cause))));
            return come;
        }

        private void limit(CompletableFuture<?> answer, Duration limit, Runnable over) {
            if (answer.isDone()) {
                return;
            }
            try {
                Runnable cancel = services.timer().after(limit, over);
                answer.whenComplete((value, failure) -> cancel.run());
            } catch (Throwable e) { // closed, or without memory: else the waiting would never end
                over.run();
            }
        }

        /** The task runs once, or it is refused once: an executor that throws may have taken it all the same. */
        private void handOver(IdempotencyStore store, Runnable task, Consumer<Throwable> refused) {
            AtomicBoolean taken = new AtomicBoolean();
            try {
                services.executor().execute(() -> {
                    if (taken.compareAndSet(false, true)) {
                        task.run();
                    }
                });
            } catch (Throwable e) {
                if (taken.compareAndSet(false, true)) {
                    elsewhere(store, () -> refused.accept(e));
                }
            }
        }

        /** While the application shuts down, what became of a body is still recorded, on whatever thread knows it. */
        private void elsewhere(IdempotencyStore store, Runnable task) {
            AtomicBoolean taken = new AtomicBoolean();
            Runnable once = () -> {
                if (taken.compareAndSet(false, true)) {
                    task.run();
                }
            };
            try {
                services.upkeep().retries(store).execute(once);
            } catch (Throwable e) {
                once.run();
            }
        }
    }

    /**
     * What keeps claims alive: no caller waits for it, and it waits for no thread but that of a blocking store.
     *
     * @param upkeep runs blocking calls
     * @param store whom to ask
     * @param question a method of the store; what it throws fails the stage, and so does the executor
     * @param <T> the answer's type
     * @return the answer, on any thread
     */
    static <T> CompletionStage<T> inBackground(
            Executor upkeep, IdempotencyStore store, Function<IdempotencyStore, CompletionStage<T>> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        try {
            upkeep.execute(
                    () -> guarded(store, question).whenComplete((value, failure) -> complete(answer, value, failure)));
        } catch (Throwable e) {
            answer.completeExceptionally(e);
        }
        return answer;
    }

    /** A body, or a method of the application that answers for one. */
    @FunctionalInterface
    interface Start<T extends @Nullable Object> {
        CompletionStage<? extends T> start(IdempotencyContext context) throws Throwable;
    }

    /**
     * Calls into the application.
     *
     * @param start may throw anything; an Error must not leave its claim behind in silence
     * @param context what it can ask about its claim
     * @param <T> the answer's type
     * @return never null
     */
    @SuppressWarnings("CatchingUnchecked") // the application's code may throw anything
    static <T extends @Nullable Object> CompletionStage<T> started(Start<T> start, IdempotencyContext context) {
        try {
            @SuppressWarnings("unchecked") // a stage only produces its value
            CompletionStage<T> stage = (CompletionStage<T>) start.start(context);
            return stage == null
                    ? CompletableFuture.failedFuture(new NullPointerException("null was returned, not a stage"))
                    : own(stage);
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Others' stages need not be {@code CompletableFuture}s, nor permit the conversion to one that composing asks for. */
    private static <T extends @Nullable Object> CompletionStage<T> own(CompletionStage<T> stage) {
        if (stage instanceof CompletableFuture) {
            return stage;
        }
        CompletableFuture<T> own = new CompletableFuture<>();
        stage.whenComplete((value, failure) -> complete(own, value, failure));
        return own;
    }

    private static <T extends @Nullable Object> void complete(
            CompletableFuture<T> future, T value, @Nullable Throwable failure) {
        if (failure == null) {
            future.complete(value);
        } else {
            future.completeExceptionally(failure);
        }
    }

    @SuppressWarnings("CatchingUnchecked") // a store may throw anything
    private static <T> CompletionStage<T> guarded(
            IdempotencyStore store, Function<IdempotencyStore, CompletionStage<T>> question) {
        try {
            return question.apply(store);
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static TimeoutException tooLate(Duration limit) {
        return new TimeoutException("The store did not answer within " + limit);
    }

    /**
     * What really happened, without the wrapping of stages.
     *
     * @param failure possibly wrapped
     * @return the innermost that is not a wrapper
     */
    static Throwable unwrapped(Throwable failure) {
        Throwable inner = failure;
        while ((inner instanceof CompletionException || inner instanceof AnsweredFailure) && inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner;
    }
}

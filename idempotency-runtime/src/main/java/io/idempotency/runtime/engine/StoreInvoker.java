package io.idempotency.runtime.engine;

import io.idempotency.runtime.store.IdempotencyStore;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** On which thread one call goes on after it asked the store. The state machine is written once, over stages. */
sealed interface StoreInvoker {

    /**
     * Asks the store.
     *
     * @param store whom to ask
     * @param question a method of the store; what it throws fails the stage
     * @param <T> the answer's type
     * @return the answer
     */
    <T> CompletionStage<T> ask(IdempotencyStore store, Function<IdempotencyStore, CompletionStage<T>> question);

    /**
     * Waits for something that is not the store: a delay, a background attempt.
     *
     * @param stage what is waited for
     * @param <T> its type
     * @return the same, on the call's own thread
     */
    <T> CompletionStage<T> await(CompletionStage<T> stage);

    /** The caller's thread does everything, as a synchronous method's caller expects; every stage is complete. */
    record Caller() implements StoreInvoker {
        @Override
        public <T> CompletionStage<T> ask(
                IdempotencyStore store, Function<IdempotencyStore, CompletionStage<T>> question) {
            // an interrupted thread must still be able to record what happened; some drivers close on interruption
            boolean interrupted = Thread.interrupted();
            try {
                return await(guarded(() -> question.apply(store)));
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        @Override
        public <T> CompletionStage<T> await(CompletionStage<T> stage) {
            CompletableFuture<T> future = stage.toCompletableFuture();
            try {
                future.join(); // not interruptible, and bounded by the store's own time-outs
            } catch (CompletionException | CancellationException e) {
                return future; // the failure is handled by whoever composes on it
            }
            return future;
        }
    }

    /**
     * Nothing blocks: a blocking store is asked on the executor, and what follows any answer runs there too, never on a
     * driver's event loop.
     *
     * @param executor runs blocking calls and bodies
     */
    record Executing(Executor executor) implements StoreInvoker {
        @Override
        public <T> CompletionStage<T> ask(
                IdempotencyStore store, Function<IdempotencyStore, CompletionStage<T>> question) {
            return store.blocking()
                    ? onExecutor(executor, store, question)
                    : await(guarded(() -> question.apply(store)));
        }

        @Override
        public <T> CompletionStage<T> await(CompletionStage<T> stage) {
            CompletableFuture<T> onExecutor = new CompletableFuture<>();
            stage.whenCompleteAsync(
                    (value, failure) -> complete(onExecutor, value, failure), task -> execute(executor, task));
            return onExecutor;
        }
    }

    /**
     * What keeps claims alive: nobody waits for it, and it waits for nobody's thread but that of a blocking store.
     *
     * @param upkeep runs blocking calls
     */
    record Background(Executor upkeep) implements StoreInvoker {
        @Override
        public <T> CompletionStage<T> ask(
                IdempotencyStore store, Function<IdempotencyStore, CompletionStage<T>> question) {
            return store.blocking() ? onExecutor(upkeep, store, question) : guarded(() -> question.apply(store));
        }

        @Override
        public <T> CompletionStage<T> await(CompletionStage<T> stage) {
            return stage;
        }
    }

    private static <T> CompletionStage<T> onExecutor(
            Executor executor, IdempotencyStore store, Function<IdempotencyStore, CompletionStage<T>> question) {
        return CompletableFuture.supplyAsync(
                        () -> guarded(() -> question.apply(store)), task -> execute(executor, task))
                .thenCompose(Function.identity());
    }

    /** While the application shuts down, what became of a body is still recorded, on whatever thread knows it. */
    private static void execute(Executor executor, Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            task.run();
        }
    }

    /** A body, or a method of the application that answers for one. */
    @FunctionalInterface
    interface Start<T extends @Nullable Object> {
        CompletionStage<? extends T> start() throws Throwable;
    }

    /**
     * Calls into the application.
     *
     * @param start may throw anything; an Error must not leave its claim behind in silence
     * @param <T> the answer's type
     * @return never null
     */
    @SuppressWarnings("CatchingUnchecked") // the application's code may throw anything
    static <T extends @Nullable Object> CompletionStage<T> started(Start<T> start) {
        try {
            @SuppressWarnings("unchecked") // a stage only produces its value
            CompletionStage<T> stage = (CompletionStage<T>) start.start();
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

    private static <T> CompletionStage<T> guarded(Supplier<CompletionStage<T>> question) {
        try {
            return question.get();
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
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

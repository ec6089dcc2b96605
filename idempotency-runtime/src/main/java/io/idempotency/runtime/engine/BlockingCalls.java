package io.idempotency.runtime.engine;

import io.idempotency.IdempotencyContext;
import io.idempotency.runtime.call.FailureWithAnswer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls that block: of methods of the application that return a stage, and of stores on interrupted threads. */
final class BlockingCalls {

    private BlockingCalls() {}

    /** A body, or a method of the application that answers for one. */
    @FunctionalInterface
    interface Start<T extends @Nullable Object> {
        @Nullable
        CompletionStage<? extends T> start(IdempotencyContext context) throws Throwable;
    }

    /**
     * Calls into the application.
     *
     * @param start may throw anything; an Error must not leave its claim behind in silence
     * @param context what it can ask about its claim
     * @param <T> the answer's type
     * @return never null; fails with what was thrown
     */
    @SuppressWarnings("CatchingUnchecked") // the application's code may throw anything
    static <T extends @Nullable Object> CompletableFuture<T> started(Start<T> start, IdempotencyContext context) {
        try {
            @SuppressWarnings("unchecked") // a stage only produces its value
            CompletionStage<T> stage = (CompletionStage<T>) start.start(context);
            if (stage == null) {
                throw new NullPointerException("null was returned, not a stage");
            }
            return stage instanceof CompletableFuture<T> future ? future : copied(stage);
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** A stage of another library need not permit the conversion to a future. */
    private static <T extends @Nullable Object> CompletableFuture<T> copied(CompletionStage<T> stage) {
        CompletableFuture<T> own = new CompletableFuture<>();
        stage.whenComplete((value, failure) -> {
            if (failure == null) {
                own.complete(value);
            } else {
                own.completeExceptionally(failure);
            }
        });
        return own;
    }

    /** Waits for as long as it takes, since what was begun has to be heard of; an interruption is kept for later. */
    static void awaitEnd(ElapsedTime time, CompletableFuture<?> stage) {
        awaitEnd(time, stage, Long.MAX_VALUE);
    }

    /** Waits at most so long; an interruption is kept for later. */
    static void awaitEnd(ElapsedTime time, CompletableFuture<?> stage, long nanos) {
        long begun = time.nanos();
        boolean interrupted = false;
        for (long left = nanos; left > 0 && !stage.isDone(); left = nanos - (time.nanos() - begun)) {
            try {
                time.await(stage, left);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        restore(interrupted);
    }

    /** What a completed stage failed with; null when it did not. */
    static @Nullable Throwable failure(CompletableFuture<?> stage) {
        return stage.isCompletedExceptionally()
                ? stage.<@Nullable Throwable>handle((value, failure) -> failure).join()
                : null;
    }

    /** What really happened, without the wrapping of stages and without the answer to it. */
    static Throwable unwrapped(Throwable failure) {
        Throwable inner = failure;
        while ((inner instanceof CompletionException || inner instanceof FailureWithAnswer)
                && inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner;
    }

    /**
     * Asks a store. A thread that was interrupted must still be able to, and some drivers close their connection then: so its
     * interruption is cleared during the call, and restored afterwards.
     */
    static <T> T ofStore(Supplier<T> question) {
        boolean interrupted = Thread.interrupted();
        try {
            return question.get();
        } finally {
            restore(interrupted);
        }
    }

    /** Interrupts the thread again if it was before. */
    static void restore(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

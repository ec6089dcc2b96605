package io.idempotency.runtime.engine;

import io.idempotency.IdempotencyContext;
import io.idempotency.runtime.call.FailureWithAnswer;
import io.idempotency.runtime.call.Invocation;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Waits for stages of the application, and calls stores from threads that may be interrupted. */
final class BlockingCalls {

    private BlockingCalls() {}

    /** Starts code of the application. Never throws: the future fails with whatever was thrown, even an Error. */
    static <T extends @Nullable Object> CompletableFuture<T> started(
            Invocation.Code<T> code, IdempotencyContext context) {
        CompletableFuture<T> own = new CompletableFuture<>(); // a stage may not support toCompletableFuture
        try {
            @SuppressWarnings("unchecked") // a stage only produces its value
            CompletionStage<T> stage = (CompletionStage<T>) code.run(context);
            if (stage == null) {
                throw new NullPointerException("null was returned, not a stage");
            }
            stage.whenComplete((value, failure) -> {
                if (failure == null) {
                    own.complete(value);
                } else {
                    own.completeExceptionally(failure);
                }
            });
        } catch (Throwable e) { // the application's code may throw anything
            own.completeExceptionally(e);
        }
        return own;
    }

    /** Waits until a stage has ended, however long that takes. Restores an interruption afterwards. */
    static void awaitEnd(ElapsedTime time, CompletableFuture<?> stage) {
        awaitEnd(time, stage, Long.MAX_VALUE);
    }

    /** Waits until a stage has ended or the time has passed. Restores an interruption afterwards. */
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

    /** Returns the failure of a completed stage; null when it succeeded. */
    static @Nullable Throwable failure(CompletableFuture<?> stage) {
        return stage.isCompletedExceptionally()
                ? stage.<@Nullable Throwable>handle((value, failure) -> failure).join()
                : null;
    }

    /** Returns the application's own exception, without the wrappers of stages and of {@link FailureWithAnswer}. */
    static Throwable unwrapped(Throwable failure) {
        Throwable inner = failure;
        while ((inner instanceof CompletionException || inner instanceof FailureWithAnswer)
                && inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner;
    }

    /**
     * Calls a store with the thread's interruption cleared, and restores it afterwards: some drivers close their
     * connection when an interrupted thread uses it.
     */
    static <T> T ofStore(Supplier<T> question) {
        boolean interrupted = Thread.interrupted();
        try {
            return question.get();
        } finally {
            restore(interrupted);
        }
    }

    static void restore(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

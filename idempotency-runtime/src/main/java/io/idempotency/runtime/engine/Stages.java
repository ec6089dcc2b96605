package io.idempotency.runtime.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Goes on at once after a stage that is complete, as a store's in memory is: each further stage would be made to be thrown away. */
final class Stages {

    private Stages() {}

    /** What a store answers or throws. */
    static <T> CompletionStage<T> of(Supplier<T> question) {
        try {
            return CompletableFuture.completedFuture(question.get());
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Whether it is complete. */
    static boolean isDone(CompletionStage<?> stage) {
        return stage instanceof CompletableFuture<?> future && future.isDone();
    }

    /** The value of a completed stage; null where that is a failure. */
    static <T> @Nullable T known(CompletionStage<T> stage) {
        return succeeded(stage) ? stage.toCompletableFuture().join() : null;
    }

    private static boolean succeeded(CompletionStage<?> stage) {
        return isDone(stage) && !stage.toCompletableFuture().isCompletedExceptionally();
    }

    /** As {@link CompletionStage#thenCompose}. */
    @SuppressWarnings("CatchingUnchecked") // as the method that it stands for
    static <T, R> CompletionStage<R> compose(CompletionStage<T> stage, Function<T, CompletionStage<R>> next) {
        if (!succeeded(stage)) {
            return stage.thenCompose(next);
        }
        try {
            return next.apply(stage.toCompletableFuture().join());
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e instanceof CompletionException ? e : new CompletionException(e));
        }
    }
}

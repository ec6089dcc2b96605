package io.idempotency.http.client;

import io.idempotency.runtime.http.UnsentRequests;
import io.micronaut.http.client.exceptions.HttpClientException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * How an attempt ended.
 *
 * @param answer what the client gave
 * @param failure what it threw instead, null when it did not
 */
record AttemptOutcome(@Nullable Object answer, @Nullable Throwable failure) {

    @SuppressWarnings("CatchingUnchecked") // a client method may throw what it likes
    static AttemptOutcome of(Callable<? extends @Nullable Object> attempt) {
        try {
            return answered(attempt.call());
        } catch (Exception e) {
            return failed(e);
        }
    }

    static AttemptOutcome answered(@Nullable Object answer) {
        return new AttemptOutcome(answer, null);
    }

    static AttemptOutcome failed(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
        return new AttemptOutcome(null, cause == null ? failure : cause);
    }

    static AttemptOutcome of(@Nullable Object answer, @Nullable Throwable failure) {
        return failure == null ? answered(answer) : failed(failure);
    }

    /** Whether the request may have been executed. */
    boolean mayHaveRun() {
        return failure == null || !UnsentRequests.isUnsent(failure);
    }

    /** What callers are told after an attempt that may have been executed: a last one that sent nothing must not hide it. */
    AttemptOutcome hidingNothing(boolean ranBefore) {
        return ranBefore && failure instanceof HttpClientException last && !mayHaveRun()
                ? failed(new LostAttemptException(last))
                : this;
    }

    @Nullable
    Object get() throws Exception {
        if (failure == null) {
            return answer;
        }
        throw failure instanceof Exception exception ? exception : new CompletionException(failure);
    }

    CompletionStage<@Nullable Object> asStage() {
        return failure == null ? CompletableFuture.completedFuture(answer) : CompletableFuture.failedFuture(failure);
    }
}

package io.idempotency.runtime.engine;

import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.call.Invocation;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A body that may run, or has run, and whose outcome is still to be recorded. */
interface BodyExecution {

    /** Starts the body. */
    CompletableFuture<@Nullable Object> start();

    /**
     * Records how the body ended.
     *
     * @param value what the body returned
     * @param failure what the body threw; null when it returned
     */
    Ended finish(@Nullable Object value, @Nullable Throwable failure);

    /**
     * How a call ended.
     *
     * @param outcome what the caller gets
     * @param forDuplicates makes the outcome of each duplicate that waited; null when they ask the store
     * @param mayTakeOver whether the next duplicate that asks may take over a record in doubt
     */
    record Ended(Outcome outcome, @Nullable Function<Invocation, Outcome> forDuplicates, boolean mayTakeOver) {}
}

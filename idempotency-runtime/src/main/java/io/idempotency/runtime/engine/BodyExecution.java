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
     * @param value what it returned
     * @param failure what it threw; null when it returned
     * @return the outcome of its call, and of the calls that waited for it
     */
    Ended finish(@Nullable Object value, @Nullable Throwable failure);

    /**
     * How a call ended.
     *
     * @param outcome what its caller gets
     * @param forDuplicates makes the outcome of each duplicate that waited; null when they ask the store
     * @param mayTakeOver whether the next duplicate that asks may take over a record in doubt
     */
    record Ended(Outcome outcome, @Nullable Function<Invocation, Outcome> forDuplicates, boolean mayTakeOver) {}
}

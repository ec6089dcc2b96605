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
     * Records what the body came to.
     *
     * @param value what it returned
     * @param failure what it threw; null when it returned
     * @return the outcome of its call, and of the calls that waited for it
     */
    Ended finish(@Nullable Object value, @Nullable Throwable failure);

    /**
     * What a call came to.
     *
     * @param outcome its caller's
     * @param forDuplicates what those who waited are told; null when they ask the store
     * @param mayTakeOver whether the next one that asks may take over what is in doubt
     */
    record Ended(Outcome outcome, @Nullable Function<Invocation, Outcome> forDuplicates, boolean mayTakeOver) {}
}

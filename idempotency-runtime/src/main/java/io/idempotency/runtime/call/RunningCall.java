package io.idempotency.runtime.call;

import io.idempotency.IdempotencyContext;

/** The context of a body for the advice around it. */
public interface RunningCall extends IdempotencyContext {

    /** Remembers a failed attempt of a call that the body retries, because the last attempt's exception may hide it. */
    void retried(Throwable failure);

    /**
     * Returns the exception for this body's caller, nearly always the one that the body threw. Where a nested operation
     * was refused for now and this body's own key does not become free, returns a refusal of this call's key instead.
     */
    Throwable answerFor(Throwable thrown);
}

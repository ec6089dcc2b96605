package io.idempotency.runtime.call;

import io.idempotency.IdempotencyContext;

/** The context of a body, as the advice around the body sees it. */
public interface RunningCall extends IdempotencyContext {

    /**
     * Remembers the failure of a call that the body retries: the last attempt may hide it.
     *
     * @param failure of the attempt
     */
    void retried(Throwable failure);

    /**
     * Returns the exception for the caller of this body: nearly always the one that it threw. Where a nested operation was refused for now
     * and this body's own key does not become free, it is a refusal of this call's key.
     *
     * @param thrown by the body
     * @return the same exception, or a refusal
     */
    Throwable answerFor(Throwable thrown);
}

package io.idempotency.runtime.call;

import io.idempotency.IdempotencyContext;

/** The context of a body, for those who stand around it. */
public interface RunningCall extends IdempotencyContext {

    /**
     * A call that the body made failed, and is made again: the last attempt may hide an earlier one.
     *
     * @param failure of the attempt
     */
    void retried(Throwable failure);

    /**
     * What the caller of this body is told of what it threw. Nearly always that: but where another operation refused the body and
     * says "come again with the same key", while this body's own key does not become free, that would not be true.
     *
     * @param thrown by the body
     * @return the same, or what is true of this call's key
     */
    Throwable answerFor(Throwable thrown);
}

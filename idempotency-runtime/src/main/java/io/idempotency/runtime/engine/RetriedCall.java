package io.idempotency.runtime.engine;

import io.idempotency.IdempotencyContext;

/** The context of a body, for those who repeat calls that the body makes: the last attempt may hide an earlier one. */
public interface RetriedCall extends IdempotencyContext {

    /**
     * A call that the body made failed, and is made again.
     *
     * @param failure of the attempt
     */
    void retried(Throwable failure);
}

package io.idempotency.runtime.http;

import io.idempotency.IdempotencyException;

/** Tells what a called system refused from what is refused here. */
public interface RemoteRefusal {

    /**
     * Whether another system refused.
     *
     * @param refusal an exception of the profile
     * @return false for one of this application's own operations
     */
    boolean isRemote(IdempotencyException refusal);
}

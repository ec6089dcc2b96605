package io.idempotency.runtime.http;

import io.idempotency.IdempotencyException;

/** Tells refusals of calls to other systems from refusals of this application's own operations. */
public interface RemoteRefusal {

    /**
     * Whether a call to another system was refused, by that system or before it was sent, and not one of this application's
     * own operations.
     */
    boolean isRemote(IdempotencyException refusal);
}

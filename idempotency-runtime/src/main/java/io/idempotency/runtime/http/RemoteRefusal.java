package io.idempotency.runtime.http;

import io.idempotency.IdempotencyException;

/** Tells refusals of calls to other systems from refusals of this application's own operations. */
public interface RemoteRefusal {

    /**
     * Tells whether the refused call was one to another system, refused by that system or before it was sent, rather
     * than a call of this application's own operations.
     */
    boolean isRemote(IdempotencyException refusal);

    /** Describes a remote refusal for the log, without the texts that the other system chose. */
    String described(IdempotencyException refusal);
}

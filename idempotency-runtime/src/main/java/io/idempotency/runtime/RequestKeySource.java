package io.idempotency.runtime;

import org.jspecify.annotations.Nullable;

/** Where an operation on an HTTP route finds the key of the current request. Thread-safe. */
public interface RequestKeySource {

    /**
     * The current request's key.
     *
     * @param operation the operation's name, for messages
     * @return null when there is no request or it carries no key
     * @throws io.idempotency.InvalidIdempotencyKeyException when it carries a malformed one
     */
    @Nullable
    String currentKey(String operation);
}

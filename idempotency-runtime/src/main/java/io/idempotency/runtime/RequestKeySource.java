package io.idempotency.runtime;

import org.jspecify.annotations.Nullable;

/** Finds the key of the current request for an operation on an HTTP route. Thread-safe. */
public interface RequestKeySource {

    /**
     * Returns the current request's key; null when there is no request or it has no key.
     *
     * @throws io.idempotency.InvalidIdempotencyKeyException when the key is malformed or has another format
     */
    @Nullable
    String currentKey(String operation, KeyFormat format);

    /**
     * Returns the current request's key where an argument of the call is what its header says; null otherwise. An
     * argument that is bound to a header is neither checked nor unquoted, and the first of several. Throws as
     * {@link #currentKey} does.
     */
    @Nullable
    String boundKey(String operation, KeyFormat format, String header, @Nullable Object argument);

    /** Returns the name of the header that carries an operation's keys, for messages. */
    String header(String operation);

    /**
     * Tells whether a key protects the current request. A request that asks for no effect needs none: its call runs as
     * if there were no annotation.
     */
    boolean wantsKey();
}

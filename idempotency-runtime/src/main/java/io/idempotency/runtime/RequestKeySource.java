package io.idempotency.runtime;

import io.idempotency.runtime.http.IdempotencyHeaders;
import org.jspecify.annotations.Nullable;

/** Where an operation on an HTTP route finds the key of the current request. Thread-safe. */
public interface RequestKeySource {

    /**
     * The current request's key; null when there is no request or it carries no key.
     *
     * @throws io.idempotency.InvalidIdempotencyKeyException when it carries a malformed one, or one of another format
     */
    @Nullable
    String currentKey(String operation, KeyFormat format);

    /** The name of the header that carries the keys of an operation, for messages. */
    default String header(String operation) {
        return IdempotencyHeaders.IDEMPOTENCY_KEY;
    }

    /**
     * Whether the current request is one that a key protects. A request that asks for no effect is none: its call runs as if
     * there were no annotation.
     */
    default boolean wantsKey() {
        return true;
    }
}

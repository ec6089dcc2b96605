package io.idempotency.runtime.store;

import org.jspecify.annotations.Nullable;

/**
 * The recorded failure of a body that threw: text only, never a serialised exception.
 *
 * @param type the exception's type, at most 250 characters
 * @param message what the application keeps of the message, at most 2000 characters; null for nothing
 * @param code the exception's code, at most 100 characters; null without one
 */
public record StoredFailure(
        String type, @Nullable String message, @Nullable String code) {

    /** Returns this failure without its message and code. */
    public StoredFailure erased() {
        return new StoredFailure(type, null, null);
    }
}

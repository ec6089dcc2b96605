package io.idempotency.runtime.store;

import org.jspecify.annotations.Nullable;

/**
 * What is recorded of a body that threw: text only, never a serialised exception.
 *
 * @param type the exception's type, at most 250 characters
 * @param message what the application keeps of its message, at most 2000 characters, if anything
 * @param code its code, at most 100 characters, if it had one
 */
public record StoredFailure(
        String type, @Nullable String message, @Nullable String code) {

    /** What is left of a failure that was erased. */
    public StoredFailure erased() {
        return new StoredFailure(type, null, null);
    }
}

package io.idempotency.runtime;

import org.jspecify.annotations.Nullable;

/**
 * Decides what of a body's exception is stored and shown again: to duplicates as {@code PreviousAttemptFailedException},
 * and to operators. Messages of exceptions name customers and systems, so that none is kept unless the application
 * defines a bean of this type. Thread-safe. Whatever it throws, nothing is kept in its stead.
 */
public interface FailureSanitizer {

    /** The kind of failure: the class's name unless overridden. At most 250 characters are kept. */
    default String type(Throwable failure) {
        return failure.getClass().getName();
    }

    /** What is kept of its message, at most 2000 characters; null, the default, for nothing. */
    default @Nullable String message(Throwable failure) {
        return null;
    }
}

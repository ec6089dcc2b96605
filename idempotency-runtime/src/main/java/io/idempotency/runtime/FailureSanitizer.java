package io.idempotency.runtime;

import org.jspecify.annotations.Nullable;

/**
 * Decides what of a body's exception is stored and shown again: to duplicates as {@code PreviousAttemptFailedException},
 * and to operators. Messages of exceptions name customers and systems, so that none is kept unless the application
 * defines a bean of this type. Thread-safe. Whatever it throws, nothing is kept in its stead.
 */
public interface FailureSanitizer {

    /**
     * What kind of failure it was.
     *
     * @param failure what the body threw
     * @return the class's name unless overridden; at most 250 characters are kept
     */
    default String type(Throwable failure) {
        return failure.getClass().getName();
    }

    /**
     * What is kept of its message.
     *
     * @param failure what the body threw
     * @return null, which is the default, for nothing; at most 2000 characters are kept
     */
    default @Nullable String message(Throwable failure) {
        return null;
    }
}

package io.idempotency.runtime;

import org.jspecify.annotations.Nullable;

/**
 * Decides which parts of a body's exception are stored and shown later: to duplicates as
 * {@code PreviousAttemptFailedException}, and to operators. Exception messages name customers and systems, so none is
 * stored unless a bean of this type returns it. When a method throws, nothing is stored in its place. Thread-safe.
 */
public interface FailureSanitizer {

    /** Returns the kind of failure, by default the class's name. At most 250 characters are stored. */
    default String type(Throwable failure) {
        return failure.getClass().getName();
    }

    /** Returns the message to store, at most 2000 characters; null, the default, for none. */
    default @Nullable String message(Throwable failure) {
        return null;
    }
}

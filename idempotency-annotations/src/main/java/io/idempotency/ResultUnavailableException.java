package io.idempotency;

import org.jspecify.annotations.Nullable;

/**
 * The body ran and succeeded, but its result cannot be given: it was too large, could not be encoded, or was written by
 * another version of the application.
 */
public final class ResultUnavailableException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    /** Describes a refusal: see {@link IdempotencyException}. */
    public ResultUnavailableException(
            String operation, @Nullable String keyHash, String message, @Nullable Throwable cause) {
        super(Refusal.RESULT_UNAVAILABLE, operation, keyHash, message, SOON, cause);
    }
}

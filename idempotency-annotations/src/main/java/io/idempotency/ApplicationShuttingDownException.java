package io.idempotency;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The application shuts down and starts no more bodies; this one did not run. Another instance, or the next one, takes the same
 * key.
 */
public final class ApplicationShuttingDownException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    /** Describes a refusal: see {@link IdempotencyException}. */
    public ApplicationShuttingDownException(
            String operation,
            @Nullable String keyHash,
            String message,
            Duration retryAfter,
            @Nullable Throwable cause) {
        super(Refusal.SHUTTING_DOWN, operation, keyHash, message, retryAfter, cause);
    }
}

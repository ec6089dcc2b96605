package io.idempotency;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The store could not be asked before the body, so the body did not run. */
public final class IdempotencyStoreUnavailableException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    /** Describes a refusal: see {@link IdempotencyException}. */
    public IdempotencyStoreUnavailableException(
            String operation,
            @Nullable String keyHash,
            String message,
            Duration retryAfter,
            @Nullable Throwable cause) {
        super(Refusal.STORE_UNAVAILABLE, operation, keyHash, message, retryAfter, cause);
    }
}

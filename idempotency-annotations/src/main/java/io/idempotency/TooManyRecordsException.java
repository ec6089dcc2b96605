package io.idempotency;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The store has no room for a new key, or a limit of new keys is reached, so the body did not run. */
public final class TooManyRecordsException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    /** Describes a refusal: see {@link IdempotencyException}. */
    public TooManyRecordsException(
            String operation,
            @Nullable String keyHash,
            String message,
            Duration retryAfter,
            @Nullable Throwable cause) {
        super(Refusal.TOO_MANY_RECORDS, operation, keyHash, message, retryAfter, cause);
    }
}

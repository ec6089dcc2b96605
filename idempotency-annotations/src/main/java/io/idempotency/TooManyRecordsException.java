package io.idempotency;

import org.jspecify.annotations.Nullable;

/**
 * The store takes no more records; the body did not run. Duplicates of calls that it remembers are answered all the same, and what
 * runs is recorded. The same key works once there is room.
 */
public final class TooManyRecordsException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    /** Describes a refusal: see {@link IdempotencyException}. */
    public TooManyRecordsException(
            String operation, @Nullable String keyHash, String message, @Nullable Throwable cause) {
        super(Refusal.TOO_MANY_RECORDS, operation, keyHash, message, cause);
    }
}

package io.idempotency;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * There is no room for a record of a new key, or the limit of new keys is reached; the body did not run. Duplicates of calls that
 * are remembered are answered all the same, and what runs is recorded. The same key works once there is room.
 */
public final class TooManyRecordsException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    private final Duration retryAfter;

    /**
     * Describes the refusal.
     *
     * @param operation the operation's name
     * @param keyHash the key's hash, null when it is not known here
     * @param message what happened and what to do next
     * @param retryAfter when trying again is worth it, positive
     * @param cause how it was learnt
     */
    public TooManyRecordsException(
            String operation,
            @Nullable String keyHash,
            String message,
            Duration retryAfter,
            @Nullable Throwable cause) {
        super(Refusal.TOO_MANY_RECORDS, operation, keyHash, message, cause);
        this.retryAfter = retryAfter;
    }

    /**
     * When trying again is worth it.
     *
     * @return a positive duration from now
     */
    public Duration retryAfter() {
        return retryAfter;
    }
}

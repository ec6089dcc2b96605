package io.idempotency;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Another call with this key is running the body now. This call did not run it. */
public final class OperationInProgressException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    /** When trying again is worth it unless something better is known. */
    static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final Duration retryAfter;

    /**
     * Describes the refusal.
     *
     * @param operation the operation's name
     * @param keyHash the key's hash
     * @param message what happened and what to do next
     * @param retryAfter when trying again is worth it, positive
     */
    public OperationInProgressException(String operation, String keyHash, String message, Duration retryAfter) {
        this(operation, keyHash, message, retryAfter, null);
    }

    /**
     * Describes the refusal of another system.
     *
     * @param operation the operation's name
     * @param keyHash the key's hash, null when it is not known here
     * @param message what happened and what to do next
     * @param retryAfter when trying again is worth it, positive
     * @param cause how it was learnt
     */
    public OperationInProgressException(
            String operation,
            @Nullable String keyHash,
            String message,
            Duration retryAfter,
            @Nullable Throwable cause) {
        super(Refusal.IN_PROGRESS, operation, keyHash, message, cause);
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

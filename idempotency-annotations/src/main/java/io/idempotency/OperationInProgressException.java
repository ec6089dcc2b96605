package io.idempotency;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Another call with this key is running the body now. This call did not run it; {@link #retryAfter()} says when to try again. */
public final class OperationInProgressException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    /** Describes a refusal: see {@link IdempotencyException}. */
    public OperationInProgressException(String operation, String keyHash, String message, Duration retryAfter) {
        this(operation, keyHash, message, retryAfter, null);
    }

    /** Describes the refusal of another system, which is the cause: see {@link IdempotencyException}. */
    public OperationInProgressException(
            String operation,
            @Nullable String keyHash,
            String message,
            Duration retryAfter,
            @Nullable Throwable cause) {
        super(Refusal.IN_PROGRESS, operation, keyHash, message, retryAfter, cause);
    }
}

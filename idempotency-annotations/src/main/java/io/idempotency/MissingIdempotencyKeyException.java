package io.idempotency;

import org.jspecify.annotations.Nullable;

/** The call carries no idempotency key, or a null, empty or blank one, and the operation requires it. The body did not run. */
public final class MissingIdempotencyKeyException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    /** Describes a refusal: see {@link IdempotencyException}. */
    public MissingIdempotencyKeyException(
            String operation, @Nullable String keyHash, String message, @Nullable Throwable cause) {
        super(Refusal.KEY_MISSING, operation, keyHash, message, SOON, cause);
    }
}

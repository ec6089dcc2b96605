package io.idempotency;

import org.jspecify.annotations.Nullable;

/** The key was used before for the same operation with other arguments. The body did not run for these arguments. */
public final class IdempotencyKeyReusedException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    /** Describes a refusal: see {@link IdempotencyException}. */
    public IdempotencyKeyReusedException(
            String operation, @Nullable String keyHash, String message, @Nullable Throwable cause) {
        super(Refusal.KEY_REUSED, operation, keyHash, message, SOON, cause);
    }
}

package io.idempotency;

import org.jspecify.annotations.Nullable;

/** The key belongs to another caller, and the operation forbids to share keys. The body did not run for this caller. */
public final class IdempotencyKeyForeignException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    /** Describes a refusal: see {@link IdempotencyException}. */
    public IdempotencyKeyForeignException(
            String operation, @Nullable String keyHash, String message, @Nullable Throwable cause) {
        super(Refusal.KEY_FOREIGN, operation, keyHash, message, cause);
    }
}

package io.idempotency;

import org.jspecify.annotations.Nullable;

/** The key was used before for another operation of the same namespace. The body did not run. */
public final class IdempotencyKeyUsedElsewhereException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    /** Describes a refusal: see {@link IdempotencyException}. */
    public IdempotencyKeyUsedElsewhereException(
            String operation, @Nullable String keyHash, String message, @Nullable Throwable cause) {
        super(Refusal.KEY_USED_ELSEWHERE, operation, keyHash, message, cause);
    }
}

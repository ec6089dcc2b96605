package io.idempotency;

import org.jspecify.annotations.Nullable;

/**
 * An earlier call started the body and its outcome is not known: its owner vanished, or the body was cut off. The body is
 * not run again until an operator, a reconciler or the late owner settles the record.
 */
public final class OutcomeUnknownException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    /** Describes a refusal: see {@link IdempotencyException}. */
    public OutcomeUnknownException(
            String operation, @Nullable String keyHash, String message, @Nullable Throwable cause) {
        super(Refusal.OUTCOME_UNKNOWN, operation, keyHash, message, SOON, cause);
    }
}

package io.idempotency;

import org.jspecify.annotations.Nullable;

/** The idempotency key is malformed: a list, too long, not printable, or not of the required format. The body did not run. */
public final class InvalidIdempotencyKeyException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    /**
     * Describes the refusal.
     *
     * @param operation the operation's name
     * @param keyHash the key's hash, null when there is no usable key
     * @param message what happened, whether the body ran, and what to do next
     * @param cause the cause, if any
     */
    public InvalidIdempotencyKeyException(
            String operation, @Nullable String keyHash, String message, @Nullable Throwable cause) {
        super(operation, keyHash, message, cause);
    }

    @Override
    public String code() {
        return "key-invalid";
    }

    @Override
    public Executed executed() {
        return Executed.NO;
    }

    @Override
    public Retry retry() {
        return Retry.NEW_KEY;
    }
}

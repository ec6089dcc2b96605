package io.idempotency;

import org.jspecify.annotations.Nullable;

/** The key belongs to another caller, and the operation forbids to share keys. The body did not run for this caller. */
public final class IdempotencyKeyForeignException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    /**
     * Describes the refusal.
     *
     * @param operation the operation's name
     * @param keyHash the key's hash, null when there is no usable key
     * @param message what happened, whether the body ran, and what to do next
     * @param cause the cause, if any
     */
    public IdempotencyKeyForeignException(
            String operation, @Nullable String keyHash, String message, @Nullable Throwable cause) {
        super(operation, keyHash, message, cause);
    }

    @Override
    public String code() {
        return "key-foreign";
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

package io.idempotency;

import org.jspecify.annotations.Nullable;

/** The call carries no idempotency key, or a null, empty or blank one, and the operation requires it. The body did not run. */
public final class MissingIdempotencyKeyException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    /**
     * Describes the refusal.
     *
     * @param operation the operation's name
     * @param keyHash the key's hash, null when there is no usable key
     * @param message what happened, whether the body ran, and what to do next
     * @param cause the cause, if any
     */
    public MissingIdempotencyKeyException(
            String operation, @Nullable String keyHash, String message, @Nullable Throwable cause) {
        super(operation, keyHash, message, cause);
    }

    @Override
    public String code() {
        return "key-missing";
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

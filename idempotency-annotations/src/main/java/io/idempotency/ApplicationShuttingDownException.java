package io.idempotency;

import org.jspecify.annotations.Nullable;

/**
 * The application shuts down and starts no more bodies; this one did not run. Another instance, or the next one, takes the same
 * key.
 */
public final class ApplicationShuttingDownException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    /**
     * Describes the refusal.
     *
     * @param operation the operation's name
     * @param keyHash the key's hash, null when there is no usable key
     * @param message what happened, whether the body ran, and what to do next
     * @param cause the cause, if any
     */
    public ApplicationShuttingDownException(
            String operation, @Nullable String keyHash, String message, @Nullable Throwable cause) {
        super(operation, keyHash, message, cause);
    }

    @Override
    public String code() {
        return "shutting-down";
    }

    @Override
    public Executed executed() {
        return Executed.NO;
    }

    @Override
    public Retry retry() {
        return Retry.SAME_KEY;
    }
}

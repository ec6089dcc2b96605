package io.idempotency;

import org.jspecify.annotations.Nullable;

/** The body ran and succeeded, but its result cannot be given: it was too large, could not be encoded, or was written by another version of the application. */
public final class ResultUnavailableException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    /**
     * Describes the refusal.
     *
     * @param operation the operation's name
     * @param keyHash the key's hash, null when there is no usable key
     * @param message what happened, whether the body ran, and what to do next
     * @param cause the cause, if any
     */
    public ResultUnavailableException(
            String operation, @Nullable String keyHash, String message, @Nullable Throwable cause) {
        super(operation, keyHash, message, cause);
    }

    @Override
    public String code() {
        return "result-unavailable";
    }

    @Override
    public Executed executed() {
        return Executed.YES;
    }

    @Override
    public Retry retry() {
        return Retry.NEVER;
    }
}

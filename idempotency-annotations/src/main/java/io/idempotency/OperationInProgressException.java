package io.idempotency;

import java.time.Duration;

/** Another call with this key is running the body now. This call did not run it. */
public final class OperationInProgressException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    private final Duration retryAfter;

    /**
     * Describes the refusal.
     *
     * @param operation the operation's name
     * @param keyHash the key's hash
     * @param message what happened and what to do next
     * @param retryAfter when trying again is worth it, positive
     */
    public OperationInProgressException(String operation, String keyHash, String message, Duration retryAfter) {
        super(operation, keyHash, message, null);
        this.retryAfter = retryAfter;
    }

    /**
     * When trying again is worth it.
     *
     * @return a positive duration from now
     */
    public Duration retryAfter() {
        return retryAfter;
    }

    @Override
    public String code() {
        return "in-progress";
    }

    @Override
    public Executed executed() {
        return Executed.UNKNOWN;
    }

    @Override
    public Retry retry() {
        return Retry.SAME_KEY;
    }
}

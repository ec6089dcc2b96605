package io.idempotency;

import org.jspecify.annotations.Nullable;

/** An earlier call started the body and its outcome is not known: its owner vanished, or the body ended without telling whether it had an effect. The body is not run again until an operator, a reconciler or the late owner settles it. */
public final class OutcomeUnknownException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    /**
     * Describes the refusal.
     *
     * @param operation the operation's name
     * @param keyHash the key's hash, null when there is no usable key
     * @param message what happened, whether the body ran, and what to do next
     * @param cause the cause, if any
     */
    public OutcomeUnknownException(
            String operation, @Nullable String keyHash, String message, @Nullable Throwable cause) {
        super(operation, keyHash, message, cause);
    }

    @Override
    public String code() {
        return "outcome-unknown";
    }

    @Override
    public Executed executed() {
        return Executed.UNKNOWN;
    }

    @Override
    public Retry retry() {
        return Retry.NEVER;
    }
}

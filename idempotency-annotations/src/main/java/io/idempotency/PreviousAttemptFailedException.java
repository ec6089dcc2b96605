package io.idempotency;

import org.jspecify.annotations.Nullable;

/**
 * An earlier call with this key ran the body, which threw; that outcome is final and is given to every duplicate. What
 * is known of the original exception is text: its type, a code, and as much of its message as the application's
 * {@code FailureSanitizer} kept, which is nothing by default. It is never deserialised.
 */
public final class PreviousAttemptFailedException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    private final String failureType;
    private final @Nullable String failureMessage;
    private final @Nullable String failureCode;

    /**
     * Describes a recorded failure.
     *
     * @param operation the operation's name
     * @param keyHash the key's hash, null when another system recorded the failure
     * @param message what happened and what to do next
     * @param failureType class name of the original exception
     * @param failureMessage what was kept of its message, if anything
     * @param failureCode its code, for instance an HTTP status, if it had one
     * @param cause how it was learnt, if not from the record
     */
    public PreviousAttemptFailedException(
            String operation,
            @Nullable String keyHash,
            String message,
            String failureType,
            @Nullable String failureMessage,
            @Nullable String failureCode,
            @Nullable Throwable cause) {
        super(Refusal.PREVIOUS_ATTEMPT_FAILED, operation, keyHash, message, SOON, cause);
        this.failureType = failureType;
        this.failureMessage = failureMessage;
        this.failureCode = failureCode;
    }

    /** The class name of the original exception, which need not exist in this application. */
    public String failureType() {
        return failureType;
    }

    /** What was kept of the original exception's message; null when nothing was. */
    public @Nullable String failureMessage() {
        return failureMessage;
    }

    /** The original exception's code, for instance {@code http:404}; null when it had none. */
    public @Nullable String failureCode() {
        return failureCode;
    }
}

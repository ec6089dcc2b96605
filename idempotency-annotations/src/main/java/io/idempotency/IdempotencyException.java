package io.idempotency;

import org.jspecify.annotations.Nullable;

/**
 * A call that did not run its body, or whose recorded outcome could not be given. Every subclass says whether the body
 * ran for this key and what a caller may do next; the message names the operation and the first digits of the key's hash,
 * because messages reach callers, and never the key.
 */
public abstract class IdempotencyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private static final int SHOWN_DIGITS = 8;

    /** Whether the body ran for the key of the refused call. */
    public enum Executed {
        /** It ran to its end. */
        YES,
        /** It was not started by this call, and by no call that this answer speaks of. */
        NO,
        /** It may have run, in part or whole. */
        UNKNOWN
    }

    /** What a caller may do next. */
    public enum Retry {
        /** Send the same request with the same key again, later. */
        SAME_KEY,
        /** This key is spent or wrong: a new attempt needs a new key. */
        NEW_KEY,
        /** Trying again does not help. */
        NEVER
    }

    private final String operation;
    private final @Nullable String keyHash;

    /**
     * For subclasses.
     *
     * @param operation the operation's name
     * @param keyHash the key's hash, null when there is no usable key
     * @param message what happened, whether the body ran, and what to do next
     * @param cause the cause, if any
     */
    protected IdempotencyException(
            String operation, @Nullable String keyHash, String message, @Nullable Throwable cause) {
        super(
                "Idempotent operation '" + operation + "'"
                        + (keyHash == null ? "" : " [key " + shortened(keyHash) + "]") + ": " + message,
                cause);
        this.operation = operation;
        this.keyHash = keyHash;
    }

    private static String shortened(String keyHash) {
        return keyHash.length() <= SHOWN_DIGITS ? keyHash : keyHash.substring(0, SHOWN_DIGITS) + "\u2026";
    }

    /**
     * The operation that was called.
     *
     * @return its name
     */
    public final String operation() {
        return operation;
    }

    /**
     * The key's whole hash, by which an operator finds the record: for logs, not for callers.
     *
     * @return 64 hexadecimal digits, or null when there is no usable key
     */
    public final @Nullable String keyHash() {
        return keyHash;
    }

    /**
     * A stable code of this kind of refusal, for machines.
     *
     * @return kebab-case, for instance {@code in-progress}
     */
    public abstract String code();

    /**
     * Whether the body ran.
     *
     * @return yes, no or unknown
     */
    public abstract Executed executed();

    /**
     * What a caller may do next.
     *
     * @return never null
     */
    public abstract Retry retry();
}

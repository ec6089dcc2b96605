package io.idempotency;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A call that did not run its body, or whose recorded outcome could not be given. There is one subclass for each
 * {@link Refusal}. The message is for logs and operators: it names the operation and the first digits of the key's hash,
 * never the key. {@link #detail()} is what callers of other organisations may read.
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
        UNKNOWN;

        /**
         * This value as headers and problem documents write it.
         *
         * @return {@code yes}, {@code no} or {@code unknown}
         */
        public String code() {
            return kebabCase(this);
        }
    }

    /** What a caller may do next. */
    public enum Retry {
        /** Send the same request with the same key again, later. */
        SAME_KEY,
        /** This key is spent or wrong: a new attempt needs a new key. */
        NEW_KEY,
        /** Trying again does not help. */
        NEVER;

        /**
         * This value as headers and problem documents write it.
         *
         * @return {@code same-key}, {@code new-key} or {@code never}
         */
        public String code() {
            return kebabCase(this);
        }
    }

    private final Refusal refusal;
    private final String operation;
    private final @Nullable String keyHash;

    /**
     * For the exceptions of this package.
     *
     * @param refusal what kind of refusal it is
     * @param operation the operation's name
     * @param keyHash the key's hash, null when there is no usable key
     * @param message what happened, whether the body ran, and what to do next
     * @param cause the cause, if any
     */
    IdempotencyException(
            Refusal refusal, String operation, @Nullable String keyHash, String message, @Nullable Throwable cause) {
        super("Idempotent operation '" + operation + "'" + mark(keyHash) + ": " + message, cause);
        this.refusal = refusal;
        this.operation = operation;
        this.keyHash = keyHash;
    }

    /** The digits by which support and an operator find the record. */
    private static String mark(@Nullable String keyHash) {
        return keyHash == null ? "" : " [key " + shortened(keyHash) + "]";
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
     * The key's whole hash, by which the record is found: for your code, and neither for logs nor for callers, who see its first digits.
     *
     * @return 64 hexadecimal digits, or null when there is no usable key
     */
    public final @Nullable String keyHash() {
        return keyHash;
    }

    /**
     * The kind of this refusal.
     *
     * @return never null
     */
    public final Refusal refusal() {
        return refusal;
    }

    /**
     * A stable code of this kind of refusal, for machines.
     *
     * @return kebab-case, for instance {@code in-progress}
     */
    public final String code() {
        return refusal.code();
    }

    /**
     * Whether the body ran.
     *
     * @return yes, no or unknown
     */
    public final Executed executed() {
        return refusal.executed();
    }

    /**
     * What a caller may do next.
     *
     * @return never null
     */
    public final Retry retry() {
        return refusal.retry();
    }

    /**
     * What a caller of another organisation may read: what happened, whether anything was done, what to do next, and the
     * digits of the key's hash by which an operator finds the record. It names no class, property, address or exception.
     *
     * @return for the answer to a request
     */
    public final String detail() {
        return told() + mark(keyHash);
    }

    /** The same for every refusal of a kind, unless the caller's own request says more. */
    String told() {
        return refusal.happened() + " " + refusal.next();
    }

    static String kebabCase(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

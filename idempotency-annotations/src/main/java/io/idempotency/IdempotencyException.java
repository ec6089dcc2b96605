package io.idempotency;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A call that did not run its body, or whose recorded outcome could not be given. {@link #refusal()} says why; the kinds that
 * an application usually catches have a subclass. The message is for logs and operators: it names the operation and the first
 * digits of the key's hash, never the key. {@link #detail()} is what callers of other organisations may read.
 *
 * <p>{@link Refusal#exception} makes one.
 */
public class IdempotencyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** When trying again is worth it unless more is known. */
    static final Duration SOON = Duration.ofSeconds(1);

    private static final int SHOWN_DIGITS = 8;

    /** Whether the body ran for the key of the refused call. */
    public enum Executed {
        /** It ran to its end. */
        YES,
        /** It was not started by this call, and by no call that this answer speaks of. */
        NO,
        /** It may have run, in part or whole. */
        UNKNOWN;

        /** This value as headers and problem documents write it: {@code yes}, {@code no} or {@code unknown}. */
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

        /** This value as headers and problem documents write it: {@code same-key}, {@code new-key} or {@code never}. */
        public String code() {
            return kebabCase(this);
        }
    }

    private final Refusal refusal;
    private final String operation;
    private final @Nullable String keyHash;
    private final Duration retryAfter;

    /** See {@link Refusal#exception}. */
    IdempotencyException(
            Refusal refusal,
            String operation,
            @Nullable String keyHash,
            String message,
            Duration retryAfter,
            @Nullable Throwable cause) {
        super("Idempotent operation '" + operation + "'" + mark(keyHash) + ": " + message, cause);
        this.refusal = refusal;
        this.operation = operation;
        this.keyHash = keyHash;
        this.retryAfter = retryAfter;
    }

    /** The digits by which support and an operator find the record. */
    private static String mark(@Nullable String keyHash) {
        if (keyHash == null) {
            return "";
        }
        boolean isShort = keyHash.length() <= SHOWN_DIGITS;
        return " [key " + (isShort ? keyHash : keyHash.substring(0, SHOWN_DIGITS) + "\u2026") + "]";
    }

    /** The name of the operation that was called. */
    public final String operation() {
        return operation;
    }

    /**
     * The key's whole hash of 64 hexadecimal digits, by which the record is found; null when there is no usable key. For your
     * code, and neither for logs nor for callers, who see its first digits.
     */
    public final @Nullable String keyHash() {
        return keyHash;
    }

    /** The kind of this refusal. */
    public final Refusal refusal() {
        return refusal;
    }

    /** A stable code of this kind of refusal, for machines: kebab-case, for instance {@code in-progress}. */
    public final String code() {
        return refusal.code();
    }

    /** Whether the body ran. */
    public final Executed executed() {
        return refusal.executed();
    }

    /** What a caller may do next. */
    public final Retry retry() {
        return refusal.retry();
    }

    /**
     * When trying again is worth it where {@link #retry()} is {@link Retry#SAME_KEY}: a positive duration from now, one second
     * unless more is known.
     */
    public final Duration retryAfter() {
        return retryAfter;
    }

    /**
     * What a caller of another organisation may read: what happened, whether anything was done, what to do next, and the
     * digits of the key's hash by which an operator finds the record. It names no class, property, address or exception.
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

package io.idempotency.runtime.call;

import io.idempotency.OtherCallers;
import org.jspecify.annotations.Nullable;

/**
 * The digest of the caller that a key belongs to under {@link OtherCallers#FORBID}. It follows the fingerprint, so that every store
 * compares it in the same atomic step, keeps it for as long as the record, and never sees a name.
 */
public final class CallerHash {

    private static final char SEPARATOR = '~';

    /**
     * 88 bits: with the fingerprint and its form they fit into the 100 characters that a store keeps. They tell the callers
     * of one record apart, and a caller cannot try more than a few.
     */
    private static final int LENGTH = 22;

    private CallerHash() {}

    /**
     * Appends a caller to a fingerprint.
     *
     * @param fingerprint the arguments'
     * @param caller a digest of the caller, in hexadecimal; null for none
     * @return what to claim with
     */
    public static String on(String fingerprint, @Nullable String caller) {
        return caller == null ? fingerprint : fingerprint + SEPARATOR + caller.substring(0, LENGTH);
    }

    /** Tells whether a record belongs to another caller than the call's; either may have none. */
    public static boolean foreign(String called, String recorded) {
        return !of(called).equals(of(recorded));
    }

    private static String of(String fingerprint) {
        int mark = fingerprint.indexOf(SEPARATOR);
        return mark < 0 ? "" : fingerprint.substring(mark);
    }
}

package io.idempotency.runtime.call;

import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The fingerprint of a call's arguments, in the form that this node writes and in every other form that it knows. A
 * form is a version and a secret, written in front of a colon. Fingerprints of two forms cannot be compared, so a call
 * is compared with a record in the record's form.
 *
 * @param text in the form that this node writes, at most 100 characters
 * @param forms returns the fingerprint in the form that a prefix with its colon names; null for an unknown form
 */
public record CallFingerprint(String text, Function<String, @Nullable String> forms) {

    /** Separates a fingerprint from the digest of a caller that follows it. */
    private static final char CALLER = '~';

    /** 88 bits: enough to tell a record's callers apart, and short enough for the 100 characters that a store keeps. */
    private static final int CALLER_LENGTH = 22;

    /** Returns a fingerprint that is known in one form only. */
    public static CallFingerprint only(String text) {
        return new CallFingerprint(text, other -> null);
    }

    /**
     * Returns the fingerprint in the form of a recorded one, of which the form and its colon are enough. Null when this
     * node does not know that form, and so cannot tell whether both are of the same call.
     */
    public @Nullable String in(String recorded) {
        String form = formOf(recorded);
        return form.equals(formOf(text)) ? text : forms.apply(form);
    }

    /**
     * Returns the fingerprint with a digest of the caller that the key belongs to under
     * {@link io.idempotency.OtherCallers#FORBID}, so that every store compares the caller in the same atomic step and
     * never sees a name.
     *
     * @param caller returns a hexadecimal digest of the caller for a form; null for no caller
     */
    public CallFingerprint marked(UnaryOperator<String> caller) {
        return new CallFingerprint(with(text, caller.apply(formOf(text))), form -> {
            String other = forms.apply(form);
            return other == null ? null : with(other, caller.apply(form));
        });
    }

    private static String with(String fingerprint, @Nullable String caller) {
        return caller == null ? fingerprint : fingerprint + CALLER + caller.substring(0, CALLER_LENGTH);
    }

    /** Tells whether the callers of a call and a record differ; either fingerprint may have none. */
    public static boolean areOfTwoCallers(String called, String recorded) {
        return !callerOf(called).equals(callerOf(recorded));
    }

    private static String callerOf(String fingerprint) {
        int mark = fingerprint.indexOf(CALLER);
        return mark < 0 ? "" : fingerprint.substring(mark);
    }

    /** Returns the form of a fingerprint, with its colon. */
    public static String formOf(String fingerprint) {
        return fingerprint.substring(0, fingerprint.indexOf(':') + 1);
    }
}

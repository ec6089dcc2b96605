package io.idempotency.runtime.call;

import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The fingerprint of a call's arguments, in the form that this node writes and in every other one that it knows. A form is
 * a version and a secret; it stands in front of a colon. Fingerprints of two forms cannot be compared, so a record is
 * compared in its own. Immutable.
 */
public final class CallFingerprint {

    private final String text;
    private final Function<String, @Nullable String> forms;

    /**
     * Creates a fingerprint.
     *
     * @param text in the form that this node writes
     * @param forms makes it in the form that a prefix with its colon names; null for one that is not known
     */
    public CallFingerprint(String text, Function<String, @Nullable String> forms) {
        this.text = text;
        this.forms = forms;
    }

    /**
     * Returns a fingerprint of which no other form is known.
     *
     * @param text the fingerprint
     * @return it
     */
    public static CallFingerprint only(String text) {
        return new CallFingerprint(text, other -> null);
    }

    /**
     * Returns the fingerprint in the form that this node writes.
     *
     * @return at most 100 characters
     */
    public String text() {
        return text;
    }

    /**
     * Returns the fingerprint in the form of a recorded one.
     *
     * @param recorded a fingerprint, or the form in front of one with its colon
     * @return null when that form is not known here: then this node cannot tell whether both are of the same call
     */
    public @Nullable String in(String recorded) {
        String form = formOf(recorded);
        return form.equals(formOf(text)) ? text : forms.apply(form);
    }

    /**
     * Returns the fingerprint with a {@link CallerHash} on each form.
     *
     * @param caller a digest of the caller for a form, since a mark must be compared as its fingerprint is
     * @return what to claim with
     */
    public CallFingerprint marked(UnaryOperator<String> caller) {
        return new CallFingerprint(CallerHash.on(text, caller.apply(formOf(text))), form -> {
            String other = forms.apply(form);
            return other == null ? null : CallerHash.on(other, caller.apply(form));
        });
    }

    /**
     * Returns the form of a fingerprint.
     *
     * @param fingerprint any
     * @return with its colon
     */
    public static String formOf(String fingerprint) {
        return fingerprint.substring(0, fingerprint.indexOf(':') + 1);
    }

    @Override
    public String toString() {
        return text;
    }
}

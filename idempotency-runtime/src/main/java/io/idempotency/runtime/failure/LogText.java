package io.idempotency.runtime.failure;

import java.util.regex.Pattern;

/** The loggable form of a text of which a client, another system or a person chose words. */
public final class LogText {

    /** What ends a line, controls a terminal or turns the direction of writing, and not only in ASCII. */
    private static final Pattern UNSEEN = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]+");

    private LogText() {}

    /** Replaces unseen characters by a space, so that the text can neither begin a line of the log nor disguise one. */
    public static String oneLine(String text) {
        return UNSEEN.matcher(text).replaceAll(" ");
    }
}

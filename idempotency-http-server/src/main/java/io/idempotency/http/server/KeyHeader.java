package io.idempotency.http.server;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the key from the header's lines. The draft's form is a structured-field string (RFC 8941, section 3.3.3:
 * printable ASCII in quotes, backslash before quote and backslash); the bare form without quotes, which most clients
 * send, means the same key.
 */
final class KeyHeader {

    static final int MAX_LENGTH = 255;

    /** The length of the longest valid header: every character escaped, in quotes. */
    private static final int LONGEST = 2 * MAX_LENGTH + 2;

    private static final Pattern QUOTED = Pattern.compile("\"((?:[ !#-\\[\\]-~]|\\\\[\"\\\\])*+)\"");
    private static final Pattern BARE = Pattern.compile("[!#-+\\--:<-\\[\\]-~]*+");

    private static final String IN_QUOTES = "it is not one text of printable ASCII in quotes, with a backslash before a"
            + " quote or a backslash only, and nothing after the closing quote";
    private static final String WITHOUT_QUOTES = "without quotes it may have printable ASCII only, and no space, comma,"
            + " semicolon, quote or backslash. Send one key without parameters";

    private KeyHeader() {}

    /** Returns the key; null when there is no header. Throws a message that says what is wrong with the header. */
    static @Nullable String parse(List<String> lines) {
        if (lines.isEmpty()) {
            return null;
        }
        if (lines.size() > 1) {
            throw new IllegalArgumentException("it appears " + lines.size() + " times");
        }
        String value = lines.get(0).strip();
        boolean quoted = value.startsWith("\"");
        if (value.length() <= LONGEST) { // a longer value might exhaust the pattern's stack
            Matcher text = (quoted ? QUOTED : BARE).matcher(value);
            if (!text.matches()) {
                throw new IllegalArgumentException(quoted ? IN_QUOTES : WITHOUT_QUOTES);
            }
            value = quoted ? text.group(1).replaceAll("\\\\(.)", "$1") : value;
        }
        if (value.isBlank()) {
            throw new IllegalArgumentException("it is empty or blank");
        }
        if (value.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "it has " + value.length() + " characters and at most " + MAX_LENGTH + " are allowed");
        }
        return value;
    }
}

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

    /** The longest text of such a key: all of it escaped, in quotes. */
    private static final int LONGEST = 2 * MAX_LENGTH + 2;

    private static final Pattern QUOTED = Pattern.compile("\"((?:[ !#-\\[\\]-~]|\\\\[\"\\\\])*+)\"");
    private static final Pattern ESCAPED = Pattern.compile("\\\\(.)");

    private KeyHeader() {}

    /** A key or what is wrong with the header; neither when there is none. */
    record Parsed(@Nullable String key, @Nullable String problem) {
        static Parsed problem(String problem) {
            return new Parsed(null, problem);
        }
    }

    static Parsed parse(List<String> lines) {
        if (lines.isEmpty()) {
            return new Parsed(null, null);
        }
        if (lines.size() > 1) {
            return Parsed.problem("it appears " + lines.size() + " times");
        }
        String value = lines.get(0).strip();
        boolean quoted = value.startsWith("\"");
        if (value.length() > (quoted ? LONGEST : MAX_LENGTH)) {
            return tooLong(value.length());
        }
        return quoted ? quoted(value) : bare(value);
    }

    private static Parsed bare(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c <= ' ' || c > '~' || c == ',' || c == ';' || c == '"' || c == '\\') {
                return Parsed.problem("character " + (i + 1) + " is not allowed outside quotes. Send one key without"
                        + " parameters, in quotes if it contains a space, comma or semicolon");
            }
        }
        return key(value);
    }

    private static Parsed quoted(String value) {
        Matcher text = QUOTED.matcher(value);
        return text.matches()
                ? key(ESCAPED.matcher(text.group(1)).replaceAll("$1"))
                : Parsed.problem("it is not one text of printable ASCII in quotes, with a backslash before a quote or a"
                        + " backslash only, and nothing after the closing quote");
    }

    private static Parsed key(String key) {
        if (key.isBlank()) {
            return Parsed.problem("it is empty or blank");
        }
        return key.length() > MAX_LENGTH ? tooLong(key.length()) : new Parsed(key, null);
    }

    private static Parsed tooLong(int length) {
        return Parsed.problem("it has " + length + " characters and at most " + MAX_LENGTH + " are allowed");
    }
}

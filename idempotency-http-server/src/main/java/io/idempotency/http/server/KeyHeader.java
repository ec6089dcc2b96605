package io.idempotency.http.server;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the key from the header's lines. The draft's form is a structured-field string (RFC 8941, section 3.3.3:
 * printable ASCII in quotes, backslash before quote and backslash); the bare form without quotes, which most clients
 * send, means the same key.
 */
final class KeyHeader {

    static final int MAX_LENGTH = 255;

    private static final char FIRST_PRINTABLE = 0x20;
    private static final char LAST_PRINTABLE = 0x7e;

    private KeyHeader() {}

    /** A key or what is wrong with the header; neither when there is none. */
    record Parsed(@Nullable String key, @Nullable String problem) {
        static Parsed key(String key) {
            if (key.isEmpty()) {
                return problem("it is empty");
            }
            if (key.isBlank()) {
                return problem("it is blank");
            }
            return key.length() > MAX_LENGTH
                    ? problem("it has " + key.length() + " characters and at most " + MAX_LENGTH + " are allowed")
                    : new Parsed(key, null);
        }

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
        return value.startsWith("\"") ? quoted(value) : bare(value);
    }

    private static Parsed bare(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == ',') {
                return Parsed.problem("it is a list; send one key, in quotes if it contains a comma");
            }
            if (c == ';') {
                return Parsed.problem("it has parameters; send the key alone, in quotes if it contains a semicolon");
            }
            if (c == '"' || c == '\\' || c <= FIRST_PRINTABLE || c > LAST_PRINTABLE) {
                return Parsed.problem("character " + (i + 1) + " is not allowed outside quotes");
            }
        }
        return Parsed.key(value);
    }

    private static Parsed quoted(String value) {
        StringBuilder key = new StringBuilder(value.length());
        for (int i = 1; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"') {
                return i == value.length() - 1
                        ? Parsed.key(key.toString())
                        : Parsed.problem("something follows the closing quote; parameters are not allowed");
            }
            if (c == '\\') {
                i++;
                if (i == value.length() || value.charAt(i) != '"' && value.charAt(i) != '\\') {
                    return Parsed.problem("a backslash may stand before a quote or a backslash only");
                }
                key.append(value.charAt(i));
            } else if (c < FIRST_PRINTABLE || c > LAST_PRINTABLE) {
                return Parsed.problem("character " + (i + 1) + " is not printable ASCII");
            } else {
                key.append(c);
            }
        }
        return Parsed.problem("the closing quote is missing");
    }
}

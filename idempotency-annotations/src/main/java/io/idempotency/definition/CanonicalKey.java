package io.idempotency.definition;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The canonical text of a key, so that different keys are never written alike: a text stands for itself, every other
 * type is written {@code type(value)}, several parts are length-framed in {@code keys(...)}, and a text that happens to
 * look like one of those is wrapped in {@code text(...)}.
 */
public final class CanonicalKey {

    private static final Pattern LOOKS_TYPED = Pattern.compile("[a-z0-9-]+\\(.*\\)", Pattern.DOTALL);

    private static final String IGNORABLE =
            "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2065\u2800\u3164\uffa0";

    private CanonicalKey() {}

    /** A key that is a text; null when the text is null, empty or blank: all calls without one would share a key. */
    public static @Nullable String text(@Nullable CharSequence text) {
        String value = text == null ? "" : text.toString();
        if (isBlank(value)) {
            return null;
        }
        return value.charAt(value.length() - 1) == ')'
                        && LOOKS_TYPED.matcher(value).matches()
                ? "text(" + value + ")"
                : value;
    }

    /** A key of another type, whose tag has lower-case letters, digits and hyphens; null when the text is null, empty or blank. */
    public static @Nullable String typed(String type, @Nullable String value) {
        return value == null || isBlank(value) ? null : type + "(" + value + ")";
    }

    /** The bytes in hexadecimal. */
    public static String hex(byte[] value) {
        return HexFormat.of().formatHex(value);
    }

    /** The remaining bytes of a buffer, in hexadecimal. The buffer's position does not change. */
    public static String hex(ByteBuffer value) {
        return hex(copied(value));
    }

    static byte[] copied(ByteBuffer value) {
        return ByteBuffer.allocate(value.remaining()).put(value.duplicate()).array();
    }

    /** Nothing that can be seen: white space of any kind, control characters, and marks like the one that begins a file. */
    private static boolean isBlank(String value) {
        for (int i = 0; i < value.length(); i += Character.charCount(value.codePointAt(i))) {
            int each = value.codePointAt(i);
            if (!Character.isWhitespace(each)
                    && !Character.isSpaceChar(each)
                    && !Character.isIdentifierIgnorable(each)
                    && !isIgnorable(each)) {
                return false; // every call asks, and nearly always the first character tells
            }
        }
        return true;
    }

    /** What else Unicode calls a default ignorable code point, and the empty cell of Braille. */
    private static boolean isIgnorable(int each) {
        return IGNORABLE.indexOf(each) >= 0
                || (each >= 0xfe00 && each <= 0xfe0f)
                || (each >= 0xfff0 && each <= 0xfff8)
                || (each >= 0xe0000 && each <= 0xe0fff);
    }

    /** A key of several parts, in order; null when any part is null: unrelated calls would share a key with a hole in it. */
    public static @Nullable String join(@Nullable String... parts) {
        StringBuilder joined = new StringBuilder("keys(");
        for (String part : parts) {
            if (part == null) {
                return null;
            }
            joined.append(part.length()).append(':').append(part);
        }
        return joined.append(')').toString();
    }
}

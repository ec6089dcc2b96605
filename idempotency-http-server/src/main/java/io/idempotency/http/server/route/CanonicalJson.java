package io.idempotency.http.server.route;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One text for every way to write a JSON document: members in the order of their names, no white space, strings without
 * needless escapes, as RFC 8785 has it. Numbers are the same where they have the same value, and unlike there they are no
 * doubles: 9007199254740993 is not 9007199254740992. What is no strict JSON (RFC 8259, and no name twice in an object) has
 * no such text.
 */
final class CanonicalJson {

    private final StringBuilder text;

    private CanonicalJson(int capacity) {
        text = new StringBuilder(capacity);
    }

    /** Empty for what is not strict JSON in UTF-8. */
    static Optional<byte[]> of(byte[] document) {
        try {
            // unlike a String's constructor this puts nothing in place of what is no UTF-8
            String read = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(document))
                    .toString();
            return StrictJson.parsed(read).map(value -> {
                CanonicalJson canonical = new CanonicalJson(document.length);
                canonical.add(value);
                return canonical.text.toString().getBytes(StandardCharsets.UTF_8);
            });
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    private void add(Object value) {
        if (value instanceof Map<?, ?> members) {
            text.append('{');
            members.forEach((name, member) -> {
                add(name);
                text.append(':');
                add(member);
                text.append(',');
            });
            text.append('}');
        } else if (value instanceof List<?> elements) {
            text.append('[');
            elements.forEach(element -> {
                add(element);
                text.append(',');
            });
            text.append(']');
        } else if (value instanceof String string) {
            text.append('"')
                    .append(string.replace("\\", "\\\\").replace("\"", "\\\""))
                    .append('"');
        } else {
            text.append(value); // a number without zeros at its end, a truth, or null's name
        }
    }
}

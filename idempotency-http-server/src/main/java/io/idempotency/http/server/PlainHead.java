package io.idempotency.http.server;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The header fields of nearly every response: JSON without an escape, which a mapper takes longer for than everything else
 * that a replay is made of. Whatever else it is, is left to the mapper: the bytes are the same.
 */
final class PlainHead {

    private final String text;
    private int at;

    private PlainHead(String text) {
        this.text = text;
    }

    /** The JSON, or null where a character would have to be escaped. */
    static byte @Nullable [] written(Map<String, List<String>> fields) {
        StringBuilder head = new StringBuilder(64).append('{');
        fields.forEach((name, values) -> {
            head.append(head.length() == 1 ? "\"" : ",\"").append(name).append("\":[");
            for (int i = 0; i < values.size(); i++) {
                head.append(i == 0 ? "\"" : ",\"").append(values.get(i)).append('"');
            }
            head.append(']');
        });
        String text = head.append('}').toString();
        return isPlain(fields) ? text.getBytes(StandardCharsets.US_ASCII) : null;
    }

    private static boolean isPlain(Map<String, List<String>> fields) {
        for (Map.Entry<String, List<String>> field : fields.entrySet()) {
            if (!isPlain(field.getKey())) {
                return false;
            }
            for (String value : field.getValue()) {
                if (!isPlain(value)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~' || c == '"' || c == '\\') {
                return false;
            }
        }
        return true;
    }

    /** The fields, or null where it is not as {@link #written} writes it. */
    static @Nullable Map<String, List<String>> read(byte[] head) {
        String text = new String(head, StandardCharsets.UTF_8);
        return text.indexOf('\\') >= 0 ? null : new PlainHead(text).object();
    }

    private @Nullable Map<String, List<String>> object() {
        Map<String, List<String>> fields = new LinkedHashMap<>();
        if (!takes("{")) {
            return null;
        }
        while (takes(fields.isEmpty() ? "\"" : ",\"")) {
            String name = string();
            List<String> values = new ArrayList<>(1);
            if (name == null || !takes(":[")) {
                return null;
            }
            while (takes(values.isEmpty() ? "\"" : ",\"")) {
                String value = string();
                if (value == null) {
                    return null;
                }
                values.add(value);
            }
            if (!takes("]") || fields.put(name, values) != null) {
                return null;
            }
        }
        return takes("}") && at == text.length() ? fields : null;
    }

    private boolean takes(String token) {
        boolean there = text.startsWith(token, at);
        at += there ? token.length() : 0;
        return there;
    }

    /** After its first quote, with the second. */
    private @Nullable String string() {
        int end = text.indexOf('"', at);
        if (end < 0) {
            return null;
        }
        String string = text.substring(at, end);
        at = end + 1;
        return string;
    }
}

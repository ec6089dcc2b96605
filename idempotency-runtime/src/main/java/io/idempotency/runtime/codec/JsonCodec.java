package io.idempotency.runtime.codec;

import io.idempotency.runtime.ResultCodec;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes results as JSON of their declared type, whatever class names the stored text contains. Null and
 * void are stored as no bytes.
 */
record JsonCodec<T>(JsonMapper json, Argument<T> type, boolean isVoid) implements ResultCodec {

    private static final byte[] NOTHING = {};

    /** Computes {@code isVoid} once, because Micronaut searches the type's annotations each time. */
    JsonCodec(JsonMapper json, Argument<T> type) {
        this(json, type, type.isVoid());
    }

    @Override
    @SuppressWarnings("unchecked") // the value comes from the method whose return type this is
    public byte[] encode(@Nullable Object value) throws IOException {
        return value == null || isVoid ? NOTHING : json.writeValueAsBytes(type, (T) value);
    }

    @Override
    public @Nullable Object decode(byte[] bytes) throws IOException {
        if (bytes.length == 0 || isVoid) {
            return null;
        }
        Object value = json.readValue(bytes, type);
        if (value == null) {
            throw new IOException("The stored result reads as null, which is never stored that way");
        }
        return value;
    }

    /** Refuses JSON that decoding changes: it drops members that the type lacks, and invents missing ones. */
    @Override
    public byte[] encodeJson(byte[] written) throws IOException {
        JsonNode asked = json.readValue(written, Argument.of(JsonNode.class));
        if (asked == null || asked.isNull()) {
            return NOTHING;
        }
        if (isVoid) {
            throw new IOException("the operation has no result");
        }
        byte[] kept = encode(decode(written));
        JsonNode read = json.readValue(kept, Argument.of(JsonNode.class));
        if (read == null || !comparable(asked).equals(comparable(read))) {
            throw new IOException("as a " + type.getTypeName() + " it would be "
                    + new String(kept, StandardCharsets.UTF_8) + ". Write every property, null where it has no value");
        }
        return kept;
    }

    /** Returns equal values for documents that differ only in the order of members or the notation of numbers. */
    private static Object comparable(JsonNode node) {
        if (node.isObject()) {
            Map<String, Object> members = new HashMap<>();
            node.entries().forEach(member -> members.put(member.getKey(), comparable(member.getValue())));
            return members;
        }
        if (node.isArray()) {
            List<Object> elements = new ArrayList<>();
            node.values().forEach(element -> elements.add(comparable(element)));
            return elements;
        }
        return node.isNumber() ? new BigDecimal(node.getNumberValue().toString()).stripTrailingZeros() : node;
    }
}

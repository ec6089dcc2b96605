package io.idempotency.runtime.codec;

import io.idempotency.runtime.ResultCodec;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    /** Refuses what another version of the application wrote, if this one would lose a part of it. */
    @Override
    public @Nullable Object decode(byte[] bytes) throws IOException {
        if (bytes.length == 0 || isVoid) {
            return null;
        }
        Object value = read(bytes);
        byte[] again = encode(value);
        if (!Arrays.equals(bytes, again) && !isRead(node(bytes), node(again))) {
            throw new IOException("Read as a " + type.getTypeName() + ", the stored result would have other content");
        }
        return value;
    }

    /** Tells whether a value is all that is stored: what it writes otherwise, such as a calculation, was not read. */
    private boolean isRead(JsonNode stored, JsonNode again) throws IOException {
        if (Difference.isLess(List.of(again), List.of(stored))) {
            return false;
        }
        Difference difference = Difference.between(List.of(again), List.of(stored));
        if (difference == null || difference.here()) {
            return difference == null;
        }
        T without = json.readValueFromTree(difference.replaced(stored), type); // fails where a value is read
        return without != null && difference.isWrittenBy(List.of(node(encode(without))), List.of(again));
    }

    /** Reads bytes of a value, whatever is lost of them. */
    Object read(byte[] bytes) throws IOException {
        Object value = json.readValue(bytes, type);
        if (value == null) {
            throw new IOException("The stored result reads as null, which is never stored that way");
        }
        return value;
    }

    private JsonNode node(byte[] bytes) throws IOException {
        return Objects.requireNonNullElse(json.readValue(bytes, Argument.of(JsonNode.class)), JsonNode.nullNode());
    }

    /** Refuses JSON that decoding changes: it drops members that the type lacks, and invents missing ones. */
    @Override
    public byte[] encodeJson(byte[] written) throws IOException {
        JsonNode asked = node(written);
        if (asked.isNull() && (isVoid || !type.isPrimitive())) {
            return NOTHING;
        }
        if (isVoid) {
            throw new IOException("the operation has no result");
        }
        byte[] kept = encode(read(written));
        if (!comparable(asked).equals(comparable(node(kept)))) {
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
        return node.isNumber() ? Difference.number(node) : node;
    }
}

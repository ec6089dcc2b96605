package io.idempotency.runtime.codec;

import io.idempotency.runtime.ResultCodec;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.math.BigDecimal;
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

    /** The most digits that a binary fraction of 64 bits is sure to keep. */
    private static final int DIGITS = 15;

    /** Counts a number whose digits matter; it has no parts of its own. */
    private static final JsonNode NUMBER = JsonNode.createBooleanNode(true);

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
        if (!Arrays.equals(bytes, again) && isLess(List.of(node(again)), List.of(node(bytes)))) {
            throw new IOException("Read as a " + type.getTypeName() + ", the stored result would have other content");
        }
        return value;
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

    /**
     * Tells whether documents that were read have fewer values at some place, in any order, fewer numbers with a fraction, or
     * not every number with more digits than a double keeps. Other values are not compared: a getter may have another one
     * each time. Takes as long as the documents are.
     */
    private static boolean isLess(List<JsonNode> read, List<JsonNode> stored) {
        Map<String, List<JsonNode>> there = parts(read);
        return parts(stored).entrySet().stream().anyMatch(part -> {
            List<JsonNode> same = there.getOrDefault(part.getKey(), List.of());
            return same.size() < part.getValue().size() || isLess(same, part.getValue());
        });
    }

    /** Returns what is in all documents of one place, by its place in them. */
    private static Map<String, List<JsonNode>> parts(List<JsonNode> documents) {
        Map<String, List<JsonNode>> parts = new HashMap<>();
        for (JsonNode node : documents) {
            if (node.isObject()) {
                node.entries().forEach(member -> add(parts, '/' + member.getKey(), member.getValue()));
            } else if (node.isArray()) {
                node.values().forEach(element -> add(parts, "[]", element));
            } else if (node.isNumber() && number(node).precision() > DIGITS) {
                add(parts, "=" + number(node), NUMBER);
            } else if (node.isNumber() && number(node).scale() > 0) {
                add(parts, ".", NUMBER);
            }
        }
        return parts;
    }

    private static void add(Map<String, List<JsonNode>> parts, String place, JsonNode part) {
        if (!part.isNull()) {
            parts.computeIfAbsent(place, first -> new ArrayList<>()).add(part);
        }
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
        return node.isNumber() ? number(node) : node;
    }

    private static BigDecimal number(JsonNode node) {
        return new BigDecimal(node.getNumberValue().toString()).stripTrailingZeros();
    }
}

package io.idempotency.runtime.codec;

import io.idempotency.runtime.ResultCodec;
import io.idempotency.runtime.UnfaithfulResultException;
import io.idempotency.runtime.codec.ValueTraversal.Part;
import io.idempotency.runtime.codec.ValueTraversal.Place;
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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes results as JSON of their declared type, whatever class names the stored text contains. Null and
 * void are stored as no bytes. A result that would not be decoded to an equal one must not be replayed: decodes and
 * compares each that has a class at a place where no earlier result of its operation had that class.
 */
final class JsonCodec<T> implements ResultCodec {

    private static final byte[] NOTHING = {};

    /** The most places known to be faithful, and classes known not to be. Beyond that all results are decoded. */
    private static final int MOST_KNOWN = 10_000;

    private final JsonMapper json;
    private final Argument<T> type;
    private final boolean isVoid; // once, because Micronaut searches the type's annotations each time
    private final Set<Place> faithful = ConcurrentHashMap.newKeySet();
    private final Set<Class<?>> reported = ConcurrentHashMap.newKeySet();

    JsonCodec(JsonMapper json, Argument<T> type) {
        this.json = json;
        this.type = type;
        this.isVoid = type.isVoid();
    }

    @Override
    public byte[] encode(@Nullable Object value) throws IOException {
        byte[] bytes = written(value);
        if (value != null && bytes.length > 0) {
            requireFaithful(value, bytes);
        }
        return bytes;
    }

    @SuppressWarnings("unchecked") // the value comes from the method whose return type this is
    private byte[] written(@Nullable Object value) throws IOException {
        return value == null || isVoid ? NOTHING : json.writeValueAsBytes(type, (T) value);
    }

    private void requireFaithful(Object value, byte[] bytes) throws UnfaithfulResultException {
        List<Part> written = ValueTraversal.written(value);
        if (written.stream().allMatch(part -> faithful.contains(part.place()))) {
            return;
        }
        String difference;
        try {
            difference = difference(value, bytes);
        } catch (IOException
                | RuntimeException
                | LinkageError
                | StackOverflowError e) { // a deserializer may throw any of them
            throw unfaithful(
                    value, "what was written cannot be read (" + e.getClass().getName() + ")", e);
        }
        if (difference != null) {
            throw unfaithful(value, difference, null);
        } else if (faithful.size() < MOST_KNOWN) {
            written.forEach(part -> faithful.add(part.place()));
        }
    }

    private UnfaithfulResultException unfaithful(Object value, String difference, @Nullable Throwable cause) {
        Class<?> type = value.getClass();
        boolean first = reported.size() < MOST_KNOWN && reported.add(type);
        return new UnfaithfulResultException(
                "a duplicate would not get a " + type.getTypeName() + " as the first caller did: " + difference,
                first,
                cause);
    }

    private @Nullable String difference(Object value, byte[] bytes) throws IOException {
        Object decoded = read(bytes);
        byte[] again = written(decoded);
        List<Part> parts = ValueTraversal.all(value);
        String difference = ValueTraversal.difference(parts, ValueTraversal.all(decoded));
        boolean same = Arrays.equals(bytes, again)
                || parts.stream().anyMatch(Part::isUnordered) && Arrays.equals(sorted(bytes), sorted(again));
        return difference == null && !same ? "what was read is written in another way" : difference;
    }

    private static byte[] sorted(byte[] bytes) {
        byte[] sorted = bytes.clone();
        Arrays.sort(sorted);
        return sorted;
    }

    /** Refuses what another version of the application wrote, if this one would lose a part of it. */
    @Override
    public @Nullable Object decode(byte[] bytes) throws IOException {
        if (bytes.length == 0 || isVoid) {
            return null;
        }
        Object value = read(bytes);
        byte[] again = written(value);
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
        return without != null && difference.isWrittenBy(List.of(node(written(without))), List.of(again));
    }

    /** Reads bytes of a value, whatever is lost of them. */
    private Object read(byte[] bytes) throws IOException {
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
    public byte[] encodeJson(byte[] document) throws IOException {
        JsonNode asked = node(document);
        if (asked.isNull() && (isVoid || !type.isPrimitive())) {
            return NOTHING;
        }
        if (isVoid) {
            throw new IOException("the operation has no result");
        }
        byte[] kept = written(read(document));
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

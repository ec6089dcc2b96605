package io.idempotency.runtime.codec;

import io.idempotency.runtime.ResultCodec;
import io.idempotency.runtime.UnfaithfulResultException;
import io.idempotency.runtime.codec.ValueTraversal.Part;
import io.idempotency.runtime.codec.ValueTraversal.Place;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Decodes and compares each encoded result that has a class at a place where no earlier result of its operation had
 * that class. A result that is not decoded to an equal one must not be replayed.
 */
final class CheckedCodec implements ResultCodec {

    /** The most places known to be faithful, and classes known not to be. Beyond that all results are decoded. */
    private static final int MOST_KNOWN = 10_000;

    private final Set<Place> faithful = ConcurrentHashMap.newKeySet();
    private final Set<Class<?>> reported = ConcurrentHashMap.newKeySet();

    private final JsonCodec<?> codec;

    /** Creates a check of a codec whose bytes alone make a duplicate's result. */
    CheckedCodec(JsonCodec<?> codec) {
        this.codec = codec;
    }

    @Override
    public byte[] encode(@Nullable Object value) throws IOException {
        byte[] bytes = codec.encode(value);
        if (value != null && bytes.length > 0) {
            require(value, bytes);
        }
        return bytes;
    }

    @Override
    public byte[] encodeJson(byte[] json) throws IOException {
        return codec.encodeJson(json);
    }

    @Override
    public @Nullable Object decode(byte[] bytes) throws IOException {
        return codec.decode(bytes);
    }

    private void require(Object value, byte[] bytes) throws UnfaithfulResultException {
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
        Object decoded = codec.read(bytes);
        byte[] again = codec.encode(decoded);
        List<Part> parts = ValueTraversal.all(value);
        String difference = difference(parts, ValueTraversal.all(decoded));
        boolean same = Arrays.equals(bytes, again)
                || parts.stream().anyMatch(Part::isUnordered) && Arrays.equals(sorted(bytes), sorted(again));
        return difference == null && !same ? "what was read is written in another way" : difference;
    }

    private static byte[] sorted(byte[] bytes) {
        byte[] sorted = bytes.clone();
        Arrays.sort(sorted);
        return sorted;
    }

    private static @Nullable String difference(List<Part> first, List<Part> read) {
        for (int i = 0; i < Math.min(first.size(), read.size()); i++) {
            Part one = first.get(i);
            Part other = read.get(i);
            if (!one.place().equals(other.place())) {
                return one.place() + " was " + named(one) + " and would be " + named(other);
            } else if (!Objects.equals(one.content(), other.content())) {
                return one.place() + " would have another value";
            }
        }
        return first.size() == read.size() ? null : "parts of it would be missing, or new";
    }

    private static String named(Part part) {
        Class<?> type = part.place().type();
        return type == Void.class ? "null" : "a " + type.getTypeName();
    }
}

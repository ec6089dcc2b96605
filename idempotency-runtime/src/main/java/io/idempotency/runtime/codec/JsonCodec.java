package io.idempotency.runtime.codec;

import io.idempotency.runtime.ResultCodec;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads results as JSON of their declared type, whatever class names stand in the stored text. Null and void are
 * stored as nothing.
 */
record JsonCodec<T>(JsonMapper json, Argument<T> type, boolean isVoid) implements ResultCodec {

    private static final byte[] NOTHING = {};

    /** Asks once whether the type is void, for which Micronaut looks through its annotations every time. */
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

    /** Refuses JSON that does not come back the same: reading leaves out what the type lacks, and makes up what is missing. */
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
        if (!same(asked, json.readValue(kept, Argument.of(JsonNode.class)))) {
            throw new IOException("as a " + type.getTypeName() + " it would be "
                    + new String(kept, StandardCharsets.UTF_8) + ". Write every property, null where it has no value");
        }
        return kept;
    }

    /** Whether two documents say the same: the order of members and the way to write a number do not count. */
    private static boolean same(@Nullable JsonNode one, @Nullable JsonNode other) {
        if (one == null || other == null) {
            return one == other;
        }
        if (one.isObject() && other.isObject()) {
            return sameMembers(members(one), members(other));
        }
        if (one.isArray() && other.isArray()) {
            return one.size() == other.size()
                    && IntStream.range(0, one.size()).allMatch(i -> same(one.get(i), other.get(i)));
        }
        if (one.isNumber() && other.isNumber()) {
            return number(one).compareTo(number(other)) == 0;
        }
        return one.equals(other);
    }

    private static boolean sameMembers(Map<String, JsonNode> one, Map<String, JsonNode> other) {
        return one.keySet().equals(other.keySet())
                && one.entrySet().stream().allMatch(member -> same(member.getValue(), other.get(member.getKey())));
    }

    private static Map<String, JsonNode> members(JsonNode node) {
        return StreamSupport.stream(node.entries().spliterator(), false)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static BigDecimal number(JsonNode node) {
        return new BigDecimal(node.getNumberValue().toString());
    }
}

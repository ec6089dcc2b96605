package io.idempotency.runtime.codec;

import io.micronaut.json.tree.JsonNode;
import java.math.BigDecimal;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Whether two JSON documents say the same: the order of members and the way to write a number do not count. */
final class SameJson {

    private SameJson() {}

    static boolean is(@Nullable JsonNode one, @Nullable JsonNode other) {
        if (one == null || other == null) {
            return one == other;
        }
        if (one.isObject() && other.isObject()) {
            return sameMembers(members(one), members(other));
        }
        if (one.isArray() && other.isArray()) {
            return one.size() == other.size()
                    && IntStream.range(0, one.size()).allMatch(i -> is(one.get(i), other.get(i)));
        }
        if (one.isNumber() && other.isNumber()) {
            return number(one).compareTo(number(other)) == 0;
        }
        return one.equals(other);
    }

    private static boolean sameMembers(Map<String, JsonNode> one, Map<String, JsonNode> other) {
        return one.keySet().equals(other.keySet())
                && one.entrySet().stream().allMatch(member -> is(member.getValue(), other.get(member.getKey())));
    }

    private static Map<String, JsonNode> members(JsonNode node) {
        return StreamSupport.stream(node.entries().spliterator(), false)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static BigDecimal number(JsonNode node) {
        return new BigDecimal(node.getNumberValue().toString());
    }
}

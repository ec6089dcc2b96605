package io.idempotency.runtime.codec;

import io.idempotency.definition.FingerprintWriter;
import io.micronaut.json.tree.JsonNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where a document that was written again has other values than the stored one. All documents of one place are compared
 * together: so the elements of a set may have any order, and the time is linear whatever a caller put into them.
 *
 * @param here whether values of this place differ
 * @param below the differences within it
 */
record Difference(boolean here, Map<String, Difference> below) {

    private static final String ELEMENTS = "[]";

    /** Tells whether a place has fewer values than were stored. */
    static boolean isLess(List<JsonNode> again, List<JsonNode> stored) {
        Map<String, List<JsonNode>> there = parts(again);
        return parts(stored).entrySet().stream().anyMatch(part -> {
            List<JsonNode> same = there.getOrDefault(part.getKey(), List.of());
            return same.size() < part.getValue().size() || isLess(same, part.getValue());
        });
    }

    /** Returns the differences of documents that are not less; null for none. */
    static @Nullable Difference between(List<JsonNode> again, List<JsonNode> stored) {
        Map<String, List<JsonNode>> there = parts(again);
        Map<String, Difference> below = new HashMap<>();
        parts(stored).forEach((place, nodes) -> {
            Difference difference = between(there.getOrDefault(place, List.of()), nodes);
            if (difference != null) {
                below.put(place, difference);
            }
        });
        Map<String, Integer> read = values(again);
        boolean here = values(stored).entrySet().stream()
                .anyMatch(value -> read.getOrDefault(value.getKey(), 0) < value.getValue());
        return here || !below.isEmpty() ? new Difference(here, below) : null;
    }

    /** Returns the document with an object in place of each value that differs: no value can be read of it. */
    JsonNode replaced(JsonNode stored) {
        if (stored.isObject()) {
            Map<String, JsonNode> members = new LinkedHashMap<>();
            stored.entries()
                    .forEach(
                            member -> members.put(member.getKey(), replaced('/' + member.getKey(), member.getValue())));
            return JsonNode.createObjectNode(members);
        } else if (stored.isArray()) {
            List<JsonNode> elements = new ArrayList<>();
            stored.values().forEach(element -> elements.add(replaced(ELEMENTS, element)));
            return JsonNode.createArrayNode(elements);
        }
        return here ? JsonNode.createObjectNode(Map.of()) : stored;
    }

    private JsonNode replaced(String place, JsonNode part) {
        Difference within = below.get(place);
        return within == null ? part : within.replaced(part);
    }

    /** Tells whether what was written again where values differ is also written without them, so that they were not read. */
    boolean isWrittenBy(List<JsonNode> without, List<JsonNode> again) {
        Map<String, List<JsonNode>> own = parts(without);
        Map<String, List<JsonNode>> there = parts(again);
        return (!here || scalars(without).count() >= scalars(again).count())
                && below.entrySet().stream()
                        .allMatch(part -> part.getValue()
                                .isWrittenBy(
                                        own.getOrDefault(part.getKey(), List.of()),
                                        there.getOrDefault(part.getKey(), List.of())));
    }

    /** Counts the values of a place by their texts, which a map keeps apart fast whatever their hash codes are. */
    private static Map<String, Integer> values(List<JsonNode> nodes) {
        Map<String, Integer> times = new HashMap<>();
        scalars(nodes)
                .map(node -> node.isNumber()
                        ? number(node).toString()
                        : node.isString() ? '"' + node.getStringValue() : node.toString())
                .forEach(text -> times.merge(text, 1, Integer::sum));
        return times;
    }

    private static Stream<JsonNode> scalars(List<JsonNode> nodes) {
        return nodes.stream().filter(JsonNode::isValueNode);
    }

    /** Returns what is within all documents of one place, by its place in them, without nulls. */
    private static Map<String, List<JsonNode>> parts(List<JsonNode> nodes) {
        Map<String, List<JsonNode>> parts = new HashMap<>();
        for (JsonNode node : nodes) {
            if (node.isObject()) {
                node.entries().forEach(member -> add(parts, '/' + member.getKey(), member.getValue()));
            } else if (node.isArray()) {
                node.values().forEach(element -> add(parts, ELEMENTS, element));
            }
        }
        return parts;
    }

    private static void add(Map<String, List<JsonNode>> parts, String place, JsonNode part) {
        if (!part.isNull()) {
            parts.computeIfAbsent(place, first -> new ArrayList<>()).add(part);
        }
    }

    static BigDecimal number(JsonNode node) {
        return FingerprintWriter.stripped(new BigDecimal(node.getNumberValue().toString()));
    }
}

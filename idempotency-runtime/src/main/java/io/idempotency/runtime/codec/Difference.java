package io.idempotency.runtime.codec;

import io.micronaut.json.tree.JsonNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
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

    /** Tells whether a place has fewer values than were stored, or fewer numbers with a fraction. */
    static boolean isLess(List<JsonNode> again, List<JsonNode> stored) {
        Map<String, List<JsonNode>> there = parts(again);
        return fractions(again) < fractions(stored)
                || parts(stored).entrySet().stream().anyMatch(part -> {
                    List<JsonNode> same = there.getOrDefault(part.getKey(), List.of());
                    return same.size() < part.getValue().size() || isLess(same, part.getValue());
                });
    }

    private static long fractions(List<JsonNode> nodes) {
        return nodes.stream()
                .filter(node -> node.isNumber() && number(node).scale() > 0)
                .count();
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
        boolean here = !values(again).containsAll(values(stored));
        return here || !below.isEmpty() ? new Difference(here, below) : null;
    }

    /** Returns the document without the values that differ. */
    JsonNode leftOut(JsonNode stored) {
        if (stored.isObject()) {
            Map<String, JsonNode> members = new LinkedHashMap<>();
            stored.entries().forEach(member -> {
                Difference within = below.get('/' + member.getKey());
                if (within == null) {
                    members.put(member.getKey(), member.getValue());
                } else if (!within.here) {
                    members.put(member.getKey(), within.leftOut(member.getValue()));
                }
            });
            return JsonNode.createObjectNode(members);
        }
        Difference within = stored.isArray() ? below.get(ELEMENTS) : null;
        if (within == null) {
            return stored;
        }
        List<JsonNode> elements = new ArrayList<>();
        if (!within.here) {
            stored.values().forEach(element -> elements.add(within.leftOut(element)));
        }
        return JsonNode.createArrayNode(elements);
    }

    /** Tells whether what was written again where values differ is also written without them, so that they were not read. */
    boolean isWrittenBy(List<JsonNode> without, List<JsonNode> again) {
        Map<String, List<JsonNode>> own = parts(without);
        Map<String, List<JsonNode>> there = parts(again);
        return (!here || given(without) >= given(again))
                && below.entrySet().stream()
                        .allMatch(part -> part.getValue()
                                .isWrittenBy(
                                        own.getOrDefault(part.getKey(), List.of()),
                                        there.getOrDefault(part.getKey(), List.of())));
    }

    /** Counts values that a missing one is not read as. */
    private static long given(List<JsonNode> nodes) {
        return scalars(nodes)
                .filter(node -> node.isString()
                        || node.isBoolean() && node.getBooleanValue()
                        || node.isNumber() && number(node).signum() != 0)
                .count();
    }

    /** Returns the values of a place, each with the number of its occurrences so far. */
    private static Set<Object> values(List<JsonNode> nodes) {
        Map<Object, Integer> times = new HashMap<>();
        return scalars(nodes)
                .<Object>map(node -> node.isNumber() ? number(node) : node)
                .<Object>map(value -> Map.entry(value, times.merge(value, 1, Integer::sum)))
                .collect(Collectors.toSet());
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
        return new BigDecimal(node.getNumberValue().toString()).stripTrailingZeros();
    }
}

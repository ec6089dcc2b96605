package io.idempotency.demo.events;

import io.micronaut.json.tree.JsonNode;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An event as the service handles it.
 *
 * @param id the sender's id
 * @param type what happened
 * @param data the leaves of the data by their path, so that two deliveries with members in another order are alike
 */
public record Event(String id, String type, Map<String, String> data) {

    static Event of(IncomingEvent incoming) {
        Map<String, String> leaves = new TreeMap<>();
        collect("", incoming.data(), leaves);
        return new Event(incoming.id(), incoming.type(), leaves);
    }

    private static void collect(String path, @Nullable JsonNode node, Map<String, String> leaves) {
        if (node == null || node.isNull()) {
            return;
        }
        if (node.isObject()) {
            node.entries().forEach(entry -> collect(path + "/" + entry.getKey(), entry.getValue(), leaves));
        } else if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                collect(path + "/" + i, node.get(i), leaves);
            }
        } else {
            leaves.put(path, node.coerceStringValue());
        }
    }
}

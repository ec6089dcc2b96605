package io.idempotency.processor.plan;

import io.idempotency.processor.model.BoundType;
import java.util.List;
import java.util.Optional;

/**
 * How the nodes of a JSON tree are read, where the two that there are differ.
 *
 * @param node the class of every node
 * @param isText asks for a text
 * @param text reads it
 * @param bool reads a truth value
 * @param number reads a number
 * @param elements what follows an array to iterate over it
 * @param entries reads an object's fields
 */
public record JsonApi(
        String node, String isText, String text, String bool, String number, String elements, String entries) {

    private static final List<JsonApi> ALL = List.of(
            new JsonApi(
                    "io.micronaut.json.tree.JsonNode",
                    "isString()",
                    "getStringValue()",
                    "getBooleanValue()",
                    "getNumberValue()",
                    ".values()",
                    "entries()"),
            new JsonApi(
                    "com.fasterxml.jackson.databind.JsonNode",
                    "isTextual()",
                    "textValue()",
                    "booleanValue()",
                    "numberValue()",
                    "",
                    "properties()"));

    static Optional<JsonApi> of(BoundType type) {
        return ALL.stream()
                .filter(api -> type.isAssignableToAny(List.of(api.node())))
                .findFirst();
    }
}

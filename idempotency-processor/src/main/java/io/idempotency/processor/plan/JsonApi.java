package io.idempotency.processor.plan;

import io.idempotency.processor.model.BoundType;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How the nodes of a JSON tree are read, where the two that there are differ: the names of methods without parameters.
 *
 * @param node the class of every node
 * @param isText asks for a text
 * @param text reads it
 * @param bool reads a truth value
 * @param number reads a number
 * @param elements iterates over an array; empty where the node itself does
 * @param entries reads an object's fields
 * @param entriesType what that returns
 */
public record JsonApi(
        String node,
        String isText,
        String text,
        String bool,
        String number,
        String elements,
        String entries,
        Class<?> entriesType) {

    private static final List<JsonApi> ALL = List.of(
            new JsonApi(
                    "io.micronaut.json.tree.JsonNode",
                    "isString",
                    "getStringValue",
                    "getBooleanValue",
                    "getNumberValue",
                    "values",
                    "entries",
                    Iterable.class),
            new JsonApi(
                    "com.fasterxml.jackson.databind.JsonNode",
                    "isTextual",
                    "textValue",
                    "booleanValue",
                    "numberValue",
                    "",
                    "properties",
                    Set.class));

    static Optional<JsonApi> of(BoundType type) {
        return ALL.stream()
                .filter(api -> type.isAssignableToAny(List.of(api.node())))
                .findFirst();
    }
}

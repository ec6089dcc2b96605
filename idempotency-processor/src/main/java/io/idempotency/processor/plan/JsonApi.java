package io.idempotency.processor.plan;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import io.idempotency.definition.JsonForm;
import io.idempotency.processor.model.BoundType;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

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
 */
public record JsonApi(
        String node, String isText, String text, String bool, String number, String elements, String entries) {

    private static final List<JsonApi> ALL = List.of(
            new JsonApi(
                    "io.micronaut.json.tree.JsonNode",
                    "isString",
                    "getStringValue",
                    "getBooleanValue",
                    "getNumberValue",
                    "values",
                    "entries"),
            new JsonApi(
                    "com.fasterxml.jackson.databind.JsonNode",
                    "isTextual",
                    "textValue",
                    "booleanValue",
                    "numberValue",
                    "",
                    "properties"));

    static Optional<JsonApi> of(BoundType type) {
        return ALL.stream()
                .filter(api -> type.isAssignableToAny(List.of(api.node())))
                .findFirst();
    }

    /** A {@code JsonForm} of the node's methods. */
    public CodeBlock form() {
        ClassName type = ClassName.bestGuess(node);
        CodeBlock methods = Stream.of(
                        "isNull",
                        isText,
                        text,
                        "isBoolean",
                        bool,
                        "isNumber",
                        number,
                        "isArray",
                        elements,
                        "isObject",
                        entries)
                .map(method -> method.isEmpty() ? CodeBlock.of("node -> node") : CodeBlock.of("$T::$L", type, method))
                .collect(CodeBlock.joining(", "));
        return CodeBlock.of("new $T<$T>($L)", JsonForm.class, type, methods);
    }
}

package io.idempotency.processor.plan;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import io.idempotency.definition.JsonForm;
import io.idempotency.processor.model.BoundType;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How the nodes of a JSON tree are read.
 *
 * @param node the class of every node
 * @param methods its methods without parameters in the order of {@link JsonForm}'s components; a dot for the node itself
 */
public record JsonApi(String node, String methods) {

    private static final List<JsonApi> ALL = List.of(
            new JsonApi(
                    "io.micronaut.json.tree.JsonNode",
                    "isNull isString getStringValue isBoolean getBooleanValue isNumber getNumberValue isArray values"
                            + " isObject entries"),
            new JsonApi(
                    "com.fasterxml.jackson.databind.JsonNode",
                    "isNull isTextual textValue isBoolean booleanValue isNumber numberValue isArray . isObject"
                            + " properties"));

    static Optional<JsonApi> of(BoundType type) {
        return ALL.stream()
                .filter(api -> type.isAssignableToAny(List.of(api.node())))
                .findFirst();
    }

    /** A {@code JsonForm} of the node's methods. */
    public CodeBlock form() {
        ClassName type = ClassName.bestGuess(node);
        CodeBlock all = Stream.of(methods.split(" "))
                .map(method -> method.equals(".") ? CodeBlock.of("node -> node") : CodeBlock.of("$T::$L", type, method))
                .collect(CodeBlock.joining(", "));
        return CodeBlock.of("new $T<$T>($L)", JsonForm.class, type, all);
    }
}

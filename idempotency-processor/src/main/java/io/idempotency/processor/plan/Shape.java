package io.idempotency.processor.plan;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import io.idempotency.definition.JsonForm;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.Code;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** How the values of one type are written to a fingerprint. */
public sealed interface Shape {

    BoundType type();

    /** A value without parts, and the code that writes it when it is not null. */
    record Leaf(BoundType type, Code write) implements Shape {}

    /**
     * An array, a collection or an iterable. The method writes its elements: {@code list} in order, {@code set} without
     * order, {@code elements} as the value determines at run time.
     */
    record Elements(BoundType type, Shape element, String method) implements Shape {}

    record Entries(BoundType type, Shape key, Shape value) implements Shape {}

    /** A map's value that is left out: all are written alike, and generated code need not see their type. */
    record LeftOut(BoundType type) implements Shape {}

    /** A value that may be absent, which equals null: the type is an optional, or has one. */
    record Maybe(BoundType type, Shape value, Code optional, Code get) implements Shape {}

    /** A value of a closed hierarchy, with its concrete types, subclasses first. */
    record OneOf(BoundType type, List<Alternative> alternatives) implements Shape {}

    /** A concrete type of a hierarchy and its distinctive name. */
    record Alternative(String name, Shape shape) {}

    /** Free-form JSON as a tree, with the class of its nodes. */
    record Json(BoundType type, String node) implements Shape {

        /** The methods of each class in the order of {@link JsonForm}'s components; a dot for the node itself. */
        private static final Map<String, String> METHODS = Map.of(
                "io.micronaut.json.tree.JsonNode",
                "isNull isString getStringValue isBoolean getBooleanValue isNumber getNumberValue isArray values"
                        + " isObject entries",
                "com.fasterxml.jackson.databind.JsonNode",
                "isNull isTextual textValue isBoolean booleanValue isNumber numberValue isArray . isObject"
                        + " properties");

        static Optional<Shape> of(BoundType type) {
            return METHODS.keySet().stream()
                    .filter(type::isAssignable)
                    .findFirst()
                    .map(node -> new Json(type, node));
        }

        /** Returns a {@code JsonForm} of the node's methods. */
        public CodeBlock form() {
            CodeBlock all = Stream.of(METHODS.getOrDefault(node, "").split(" "))
                    .map(method -> method.equals(".")
                            ? CodeBlock.of("node -> node")
                            : CodeBlock.of("$T::$L", ClassName.bestGuess(node), method))
                    .collect(CodeBlock.joining(", "));
            return CodeBlock.of("new $T<$T>($L)", JsonForm.class, ClassName.bestGuess(node), all);
        }
    }

    /** A record or bean. Its properties, sorted by name, are added later: types may contain themselves. */
    record Structure(BoundType type, List<Property> properties) implements Shape {}

    /**
     * One property of a structure, or one parameter of the method.
     *
     * @param name the name in the fingerprint
     * @param present whether a value, which is not null, is written; empty if always
     */
    record Property(String name, Code code, Shape shape, Optional<Code> present) {}
}

package io.idempotency.processor.plan;

import io.idempotency.processor.model.Accessors;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.Code;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The shapes of types that hold values of other types. */
final class ContainerPlanner {

    /** How the optionals of numbers are read. */
    private static final Map<String, String> OPTIONALS = Map.of(
            "java.util.OptionalInt", "getAsInt",
            "java.util.OptionalLong", "getAsLong",
            "java.util.OptionalDouble", "getAsDouble");

    private final ShapePlanner shapes;

    ContainerPlanner(ShapePlanner shapes) {
        this.shapes = shapes;
    }

    /** The shape of a type that is not a scalar: of a container, else of a structure. */
    Optional<Shape> plan(BoundType type, String path) {
        Optional<JsonApi> json = JsonApi.of(type);
        if (json.isPresent()) {
            return Optional.of(new Shape.Json(type, json.get()));
        }
        if (type.isAssignable("java.lang.CharSequence")) {
            return Optional.of(new Shape.Leaf(type, Code.of("writer.text($1L)")));
        }
        if (type.is("java.util.Optional")) {
            return shapes.plan(type.argument(0).orElseThrow(), path).map(value -> optional(type, value, Code.VALUE));
        }
        String getter = OPTIONALS.get(type.name());
        if (getter != null) {
            String write = type.is("java.util.OptionalDouble") ? "writer.real($1L)" : "writer.integer($1L)";
            Shape number = new Shape.Leaf(type, Code.of(write));
            return Optional.of(new Shape.Maybe(type, number, Code.VALUE, Code.of("$1L.$2L()", getter)));
        }
        return many(type, path);
    }

    private Optional<Shape> many(BoundType type, String path) {
        Optional<BoundType> map = type.as("java.util.Map");
        if (map.isPresent() || type.isAssignable("java.util.Collection")) {
            List<String> besides = Accessors.besidesElements(type);
            if (!besides.isEmpty()) {
                return shapes.problem(path, type, Unfingerprintable.besides(besides));
            }
        }
        if (map.isPresent()) {
            return entries(type, map.get(), path);
        }
        if (type.isAssignable("java.util.Collection") || type.is("java.lang.Iterable")) {
            BoundType element = type.as("java.lang.Iterable")
                    .flatMap(each -> each.argument(0))
                    .orElseThrow();
            return elements(type, element, path);
        }
        return shapes.structure(type, path);
    }

    /** The shape of an array or a collection. */
    Optional<Shape> elements(BoundType type, BoundType element, String path) {
        return shapes.plan(element, path + "[]").map(shape -> new Shape.Elements(type, shape, Shape.Order.of(type)));
    }

    private Optional<Shape> entries(BoundType type, BoundType map, String path) {
        Optional<Shape> key = shapes.plan(map.argument(0).orElseThrow(), path + ".key");
        Optional<Shape> value = shapes.plan(map.argument(1).orElseThrow(), path + ".value");
        return key.flatMap(k -> value.map(v -> new Shape.Entries(type, k, v)));
    }

    /** The shape of what is or has an optional. */
    static Shape optional(BoundType type, Shape value, Code optional) {
        return new Shape.Maybe(
                type, value, optional, optional.then(Code.of("$1L.get()")).as(value.type()));
    }
}

package io.idempotency.processor.plan;

import io.idempotency.definition.FingerprintWriter;
import io.idempotency.processor.code.Calls;
import io.idempotency.processor.code.Code;
import io.idempotency.processor.model.Accessors;
import io.idempotency.processor.model.BoundType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.objectweb.asm.Type;

/** The shapes of types that hold values of other types. */
final class ContainerPlanner {

    private static final Map<String, Holder> OPTIONALS = Map.of(
            OptionalInt.class.getName(), new Holder(OptionalInt.class, "getAsInt"),
            OptionalLong.class.getName(), new Holder(OptionalLong.class, "getAsLong"),
            OptionalDouble.class.getName(), new Holder(OptionalDouble.class, "getAsDouble"));

    /** An optional of numbers, and the method that reads it. */
    private record Holder(Class<?> type, String getter) {}

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
            return Optional.of(new Shape.Leaf(type, Calls.of(FingerprintWriter.class, "text", CharSequence.class)));
        }
        if (type.is("java.util.Optional")) {
            return shapes.plan(type.argument(0).orElseThrow(), path)
                    .map(value -> optional(type, value, Optional.class, "get"));
        }
        Holder holder = OPTIONALS.get(type.name());
        if (holder != null) {
            Shape number = new Shape.Leaf(type, number(holder));
            return Optional.of(optional(type, number, holder.type(), holder.getter()));
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

    private static Shape optional(BoundType type, Shape value, Class<?> holder, String getter) {
        return new Shape.Maybe(type, value, Code.NOTHING, holder, getter);
    }

    private static Code number(Holder holder) {
        if (holder.type() == OptionalDouble.class) {
            return Calls.of(FingerprintWriter.class, "real", double.class);
        }
        Type read = Calls.result(holder.type(), holder.getter());
        Code widened = to -> to.cast(read, Type.LONG_TYPE);
        return widened.then(Calls.of(FingerprintWriter.class, "integer", long.class));
    }
}

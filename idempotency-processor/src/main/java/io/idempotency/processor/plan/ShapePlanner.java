package io.idempotency.processor.plan;

import io.idempotency.NotFingerprinted;
import io.idempotency.processor.model.Accessors;
import io.idempotency.processor.model.Accessors.Accessor;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.plan.Shape.Structure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the shapes of one method's arguments, each structure once, and says what has none. */
final class ShapePlanner {

    /** A type that is still unfolding so deep down never ends: {@code record Grow<T>(Grow<List<T>> next)}. */
    private static final int MAX_DEPTH = 50;

    private static final Map<String, String> OPTIONALS = Map.of(
            "java.util.OptionalInt", "getAsInt()",
            "java.util.OptionalLong", "getAsLong()",
            "java.util.OptionalDouble", "getAsDouble()");

    private final String fromPackage;
    private final Map<String, Structure> structures = new HashMap<>();
    private final List<String> problems = new ArrayList<>();
    private int depth;

    ShapePlanner(String fromPackage) {
        this.fromPackage = fromPackage;
    }

    boolean isSkipped(BoundType type) {
        return FrameworkTypes.isSkipped(type)
                || (type.component() == null && type.element().hasStereotype(NotFingerprinted.class));
    }

    List<String> takeProblems() {
        List<String> taken = List.copyOf(problems);
        problems.clear();
        return taken;
    }

    /**
     * The shape of a type.
     *
     * @param type the type
     * @param path the way to it, for messages
     * @return empty after a problem was noted
     */
    Optional<Shape> plan(BoundType type, String path) {
        if (depth == MAX_DEPTH) {
            return problem(path, type, Unfingerprintable.ENDLESS);
        }
        depth++;
        try {
            return type.component() == null ? single(type, path) : array(type, type.component(), path);
        } finally {
            depth--;
        }
    }

    private Optional<Shape> array(BoundType type, BoundType component, String path) {
        return leaf(type).or(() -> elements(type, component, true, path));
    }

    private Optional<Shape> single(BoundType type, String path) {
        if (!type.isPrimitive() && !Accessors.isVisible(type.element(), fromPackage)) {
            return problem(path, type, Unfingerprintable.invisible(fromPackage));
        }
        return leaf(type).or(() -> type.element().isRecord() ? structure(type, path) : container(type, path));
    }

    private static Optional<Shape> leaf(BoundType type) {
        return Scalars.of(type).map(scalar -> new Shape.Leaf(type, scalar.statement()));
    }

    private Optional<Shape> container(BoundType type, String path) {
        if (type.isAssignable("java.lang.CharSequence")) {
            return Optional.of(new Shape.Leaf(type, "writer.text(%s)"));
        }
        if (type.is("java.util.Optional")) {
            return plan(type.argument(0).orElseThrow(), path).map(value -> new Shape.Maybe(type, value, "get()"));
        }
        if (OPTIONALS.containsKey(type.name())) {
            Shape value = new Shape.Leaf(
                    type, type.is("java.util.OptionalDouble") ? "writer.real(%s)" : "writer.integer(%s)");
            return Optional.of(new Shape.Maybe(type, value, OPTIONALS.get(type.name())));
        }
        Optional<BoundType> map = type.as("java.util.Map");
        if (map.isPresent()) {
            return entries(type, map.get(), path);
        }
        if (type.isAssignable("java.util.Collection") || type.is("java.lang.Iterable")) {
            BoundType element = type.as("java.lang.Iterable")
                    .flatMap(each -> each.argument(0))
                    .orElseThrow();
            return elements(type, element, !type.isAssignable("java.util.Set"), path);
        }
        return structure(type, path);
    }

    private Optional<Shape> elements(BoundType type, BoundType element, boolean ordered, String path) {
        return plan(element, path + "[]").map(shape -> new Shape.Elements(type, shape, ordered));
    }

    private Optional<Shape> entries(BoundType type, BoundType map, String path) {
        Optional<Shape> key = plan(map.argument(0).orElseThrow(), path + ".key");
        Optional<Shape> value = plan(map.argument(1).orElseThrow(), path + ".value");
        return key.flatMap(k -> value.map(v -> new Shape.Entries(type, k, v)));
    }

    private Optional<Shape> structure(BoundType type, String path) {
        Structure known = structures.get(type.sourceName());
        if (known != null) {
            return Optional.of(known);
        }
        List<Accessor> accessors = Accessors.of(type, fromPackage);
        Optional<String> reason = Unfingerprintable.reason(type, accessors, Accessors.hidden(type, fromPackage));
        if (reason.isPresent()) {
            return problem(path, type, reason.get());
        }
        Structure structure = new Structure(type);
        structures.put(type.sourceName(), structure);
        for (Accessor accessor : accessors) {
            if (!accessor.notFingerprinted() && !isSkipped(accessor.type())) {
                plan(accessor.type(), path + "." + accessor.name())
                        .ifPresent(shape -> structure
                                .properties()
                                .add(new Shape.Property(accessor.name(), accessor.code(), shape)));
            }
        }
        return Optional.of(structure);
    }

    private Optional<Shape> problem(String path, BoundType type, String reason) {
        problems.add("'" + path + "' of type " + type.erasure() + " cannot be fingerprinted: " + reason);
        return Optional.empty();
    }
}

package io.idempotency.processor.plan;

import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.Code;
import java.util.List;
import java.util.Optional;

/** How the values of one type are written to a fingerprint. */
public sealed interface Shape {

    /** What is written. */
    BoundType type();

    /** A value without parts, and the code that writes it to {@code writer} where it is not null. */
    record Leaf(BoundType type, Code write) implements Shape {}

    /**
     * An array, a collection or an iterable.
     *
     * @param method writes them: {@code list} where their order counts, {@code set} where it means nothing, {@code elements}
     *     where the value says which at run time
     */
    record Elements(BoundType type, Shape element, String method) implements Shape {}

    /** A map. */
    record Entries(BoundType type, Shape key, Shape value) implements Shape {}

    /**
     * A value that may be absent, which is the same as null.
     *
     * @param optional the optional that it is or has
     * @param get reads what that holds
     */
    record Maybe(BoundType type, Shape value, Code optional, Code get) implements Shape {}

    /** A value of a closed hierarchy, which may contain itself too: its concrete types, more special ones first. */
    record OneOf(BoundType type, List<Alternative> alternatives) implements Shape {}

    /** One of a hierarchy's concrete types, by the name that tells it from the others. */
    record Alternative(String name, Shape shape) {}

    /** Free-form JSON as a tree. */
    record Json(BoundType type, JsonApi api) implements Shape {}

    /** A record or bean. Recursive types contain themselves, so the properties, sorted by name, are added after it is known. */
    record Structure(BoundType type, List<Property> properties) implements Shape {}

    /**
     * One property of a structure, or one parameter of the method.
     *
     * @param name its name in the fingerprint
     * @param code reads it of the structure, or of the array of arguments
     * @param present whether the value, which is not null, is another than the default one; empty where each counts
     */
    record Property(String name, Code code, Shape shape, Optional<Code> present) {}
}

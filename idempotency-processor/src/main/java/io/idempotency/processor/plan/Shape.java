package io.idempotency.processor.plan;

import io.idempotency.processor.model.BoundType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How the values of one type are written to a fingerprint. */
public sealed interface Shape {

    /** What is written. */
    BoundType type();

    /**
     * A value without parts.
     *
     * @param type its type
     * @param statement writes it; {@code %s} stands for the value, which is not null
     */
    record Leaf(BoundType type, String statement) implements Shape {}

    /**
     * Elements, in their own order or in none.
     *
     * @param type the array, collection or iterable
     * @param element one of them
     * @param ordered false for sets
     */
    record Elements(BoundType type, Shape element, boolean ordered) implements Shape {}

    /**
     * A map.
     *
     * @param type the map
     * @param key its keys
     * @param value its values
     */
    record Entries(BoundType type, Shape key, Shape value) implements Shape {}

    /**
     * A value that may be absent, which is the same as null.
     *
     * @param type one of the four optional types
     * @param value what it holds
     * @param getter reads it when it is present
     */
    record Maybe(BoundType type, Shape value, String getter) implements Shape {}

    /**
     * A value with properties. Recursive types contain themselves, so the properties are added after it is known.
     *
     * @param type a record or bean
     * @param properties sorted by name
     */
    record Structure(BoundType type, List<Property> properties) implements Shape {

        Structure(BoundType type) {
            this(type, new ArrayList<>());
        }

        /** By identity: two are never the same type, and a recursive one has no end. */
        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return type.sourceName().hashCode();
        }

        @Override
        public String toString() {
            return "Structure[" + type.sourceName() + "]";
        }
    }

    /**
     * One property of a structure, or one parameter of the method.
     *
     * @param name its name
     * @param code what follows the structure in source code to read it; for a parameter, what reads it
     * @param shape its type
     */
    record Property(String name, String code, Shape shape) {}
}

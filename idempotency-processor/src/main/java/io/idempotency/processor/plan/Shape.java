package io.idempotency.processor.plan;

import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How the values of one type are written to a fingerprint. */
public sealed interface Shape {

    /** What is written. */
    BoundType type();

    /**
     * A value without parts.
     *
     * @param type its type
     * @param write writes the value, which is not null, to {@code writer}
     */
    record Leaf(BoundType type, Code write) implements Shape {}

    /**
     * Several values of one type.
     *
     * @param type the array, collection or iterable
     * @param element one of them
     * @param order what is known of their order
     */
    record Elements(BoundType type, Shape element, Order order) implements Shape {}

    /** Whether the order of elements counts, and the method that writes them so. */
    enum Order {
        /** It does: arrays and lists. */
        COUNTS("list"),
        /** It does not: sets. */
        MEANS_NOTHING("set"),
        /** The value says it at run time: collections and iterables. */
        OF_THE_VALUE("elements");

        private final String method;

        Order(String method) {
            this.method = method;
        }

        /** The method's name. */
        public String method() {
            return method;
        }

        /** What a declared type says. */
        static Order of(BoundType type) {
            if (type.component() != null || type.isAssignable("java.util.List")) {
                return COUNTS;
            }
            return type.isAssignable("java.util.Set") ? MEANS_NOTHING : OF_THE_VALUE;
        }
    }

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
     * @param type what may hold it
     * @param value what it holds
     * @param optional the optional that it is or has
     * @param get reads what that holds
     */
    record Maybe(BoundType type, Shape value, Code optional, Code get) implements Shape {}

    /**
     * A value of a closed hierarchy, which may contain itself too.
     *
     * @param type the type at its top
     * @param alternatives the concrete types in it, more special ones first
     */
    record OneOf(BoundType type, List<Alternative> alternatives) implements Shape {

        OneOf(BoundType type) {
            this(type, new ArrayList<>());
        }
    }

    /**
     * One of a hierarchy's concrete types.
     *
     * @param name what tells it from the others
     * @param shape how it is written
     */
    record Alternative(String name, Shape shape) {}

    /**
     * Free-form JSON as a tree.
     *
     * @param type the nodes' type
     * @param api how its nodes are read
     */
    record Json(BoundType type, JsonApi api) implements Shape {}

    /**
     * A value with properties. Recursive types contain themselves, so the properties are added after it is known.
     *
     * @param type a record or bean
     * @param properties sorted by their names in the fingerprint
     */
    record Structure(BoundType type, List<Property> properties) implements Shape {

        Structure(BoundType type) {
            this(type, new ArrayList<>());
        }
    }

    /**
     * One property of a structure, or one parameter of the method.
     *
     * @param name its name in the fingerprint
     * @param code reads it of the structure, or a parameter of the array of arguments
     * @param shape its type
     * @param present whether the value, which is not null, is another than the default one; empty where each counts
     */
    record Property(String name, Code code, Shape shape, Optional<Code> present) {}
}

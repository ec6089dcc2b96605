package io.idempotency.processor.plan;

import io.idempotency.processor.model.Accessors;
import io.idempotency.processor.model.Accessors.Accessor;
import io.idempotency.processor.model.Accessors.State;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.Code;
import io.idempotency.processor.plan.KeyPart.Step;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How a key's path gets from one type to the next. */
record KeySteps(String fromPackage, Map<String, State> states) {

    private static final List<String> TEXTS = List.of("java.lang.String", "java.lang.CharSequence", "java.lang.Object");

    /** A property, or the value of a map under a key. */
    Optional<Step> next(BoundType type, KeyPath.Segment segment) {
        return segment.isMapKey()
                ? value(type, segment.name())
                : property(type, segment.name())
                        .map(accessor -> new Step(accessor.name(), accessor.code(), accessor.type()));
    }

    /** An optional value on the way is followed into, so that empty is as null. */
    BoundType unwrap(BoundType type, List<Step> steps) {
        if (!type.is("java.util.Optional")) {
            return type;
        }
        BoundType value = type.argument(0).orElseThrow();
        steps.add(new Step("value", Code.of("$1L.orElse(null)").as(value), value));
        return unwrap(value, steps);
    }

    Optional<Accessor> property(BoundType type, String name) {
        return isEnd(type) ? Optional.empty() : Accessors.named(readable(type), type, name, fromPackage);
    }

    /** What to propose to follow from a type; nothing for a scalar, where a path ends, and of the platform's own types. */
    List<Accessor> properties(BoundType type) {
        return isEnd(type) || type.name().startsWith("java.") ? List.of() : readable(type);
    }

    private List<Accessor> readable(BoundType type) {
        return states.computeIfAbsent(type.sourceName(), name -> State.of(type, fromPackage))
                .readable();
    }

    /** Whether a property may be proposed: {@code order.lines.empty} is no key that anybody wants. */
    boolean offers(BoundType type, String name) {
        return properties(type).stream().anyMatch(accessor -> accessor.name().equals(name));
    }

    private boolean isEnd(BoundType type) {
        return type.component() != null
                || type.isPrimitive()
                || Scalars.of(type).isPresent()
                || !Accessors.isVisible(type.element(), fromPackage);
    }

    private static Optional<Step> value(BoundType type, String key) {
        return type.as("java.util.Map")
                .filter(map ->
                        map.argument(0).filter(it -> TEXTS.contains(it.name())).isPresent())
                .flatMap(map -> map.argument(1))
                .map(value -> new Step(key, Code.of("$1L.get($2S)", key).as(value), value));
    }
}

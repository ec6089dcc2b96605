package io.idempotency.processor.plan;

import io.idempotency.definition.Similar;
import io.idempotency.processor.model.Accessors;
import io.idempotency.processor.model.Accessors.Accessor;
import io.idempotency.processor.model.Accessors.State;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.Code;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.OperationMethod.OperationParameter;
import io.idempotency.processor.model.Unreadable;
import io.idempotency.processor.plan.KeyPlan.Part;
import io.idempotency.processor.plan.KeyPlan.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Follows property paths, {@code order.customer.id} or {@code headers['message-id']}, and reports where they break. */
record KeyPaths(OperationMethod method, Map<String, State> states, List<String> problems) {

    private static final Pattern START = Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$]*");
    private static final Pattern NEXT = Pattern.compile("\\.(" + START + ")|\\['([^']+)']");
    private static final List<String> TEXTS = List.of("java.lang.String", "java.lang.CharSequence", "java.lang.Object");

    /** A step of a path: a property, or the value of a map under a key. */
    private record Segment(String name, boolean isMapKey) {}

    /** Returns the part of a key at the end of a path; empty after a problem was noted. */
    Optional<Part> plan(String path) {
        Matcher start = START.matcher(path);
        Optional<List<Segment>> segments = start.lookingAt() ? segments(path, start.end()) : Optional.empty();
        if (segments.isEmpty()) {
            return problem("The key '" + path + "' is no property path. Write one, for instance order.id or"
                    + " headers['message-id'], or an expression #{…} on one line.");
        }
        return Unreadable.or(
                () -> method.parameters().stream()
                        .filter(parameter -> parameter.name().equals(start.group()))
                        .findFirst()
                        .map(parameter -> follow(path, segments.get(), parameter))
                        .orElseGet(() -> unknownParameter(path, start.group())),
                why -> problem("The key '" + path + "' leads to a type that the compiler cannot follow: " + why + "."));
    }

    private static Optional<List<Segment>> segments(String path, int from) {
        List<Segment> segments = new ArrayList<>();
        Matcher next = NEXT.matcher(path);
        for (int at = from; at < path.length(); at = next.end()) {
            if (!next.region(at, path.length()).lookingAt()) {
                return Optional.empty();
            }
            String property = next.group(1);
            segments.add(property == null ? new Segment(next.group(2), true) : new Segment(property, false));
        }
        return Optional.of(segments);
    }

    private Optional<Part> follow(String path, List<Segment> segments, OperationParameter start) {
        List<Step> steps = new ArrayList<>();
        BoundType type = unwrap(start.type(), steps);
        for (Segment segment : segments) {
            Optional<Step> next =
                    segment.isMapKey() ? value(type, segment.name()) : property(path, start, type, segment.name());
            if (next.isEmpty()) {
                return broken(path, type, segment);
            }
            steps.add(next.get());
            type = unwrap(next.get().type(), steps);
        }
        Optional<Scalars.Scalar> scalar = Scalars.of(type);
        if (scalar.isPresent()) {
            return Optional.of(
                    new Part(start, steps, scalar.get().tag(), scalar.get().text()));
        }
        List<String> properties = properties(type);
        return problem("The key '" + path + "' ends at " + type.erasure() + ", which is not a single value."
                + (properties.isEmpty()
                        ? " Name a text, number, date, UUID, enum or the like."
                        : " Go on to one of its properties: " + String.join(", ", properties) + "."));
    }

    /** Follows an optional to its value, which is null if the optional is empty. */
    private static BoundType unwrap(BoundType type, List<Step> steps) {
        if (!type.is("java.util.Optional")) {
            return type;
        }
        BoundType value = type.argument(0).orElseThrow();
        steps.add(new Step("value", Code.of("$1L.orElse(null)").as(value), value));
        return unwrap(value, steps);
    }

    private static Optional<Step> value(BoundType type, String key) {
        return type.as("java.util.Map")
                .filter(map ->
                        map.argument(0).filter(it -> TEXTS.contains(it.name())).isPresent())
                .flatMap(map -> map.argument(1))
                .map(value -> new Step(key, Code.of("$1L.get($2S)", key).as(value), value));
    }

    private Optional<Step> property(String path, OperationParameter start, BoundType type, String name) {
        Optional<Accessor> property =
                isEnd(type) ? Optional.empty() : Accessors.named(readable(type), type, name, fromPackage());
        property.filter(accessor -> accessor.header() && start.header() && method.isRoute())
                .ifPresent(accessor -> problem("The key '" + path + "' reads a header in a @RequestBean. If it is the"
                        + " header of the key, it is neither checked nor unquoted there: one key that is sent in"
                        + " quotes and without would be two. Take the header as a parameter of its own."));
        return property.map(accessor -> new Step(accessor.name(), accessor.code(), accessor.type()));
    }

    /** Returns the properties to propose in messages; none of a scalar or the platform, such as {@code lines.empty}. */
    private List<String> properties(BoundType type) {
        return isEnd(type) || type.name().startsWith("java.")
                ? List.of()
                : readable(type).stream().map(Accessor::name).toList();
    }

    private List<Accessor> readable(BoundType type) {
        return states.computeIfAbsent(type.sourceName(), name -> State.of(type, fromPackage()))
                .readable();
    }

    private boolean isEnd(BoundType type) {
        return type.component() != null
                || type.isPrimitive()
                || Scalars.of(type).isPresent()
                || !BoundType.isVisible(type.element(), fromPackage());
    }

    private Optional<Part> broken(String path, BoundType type, Segment segment) {
        String breaks = "The key '" + path + "' breaks at ";
        String name = segment.name();
        if (!type.isPrimitive() && !BoundType.isVisible(type.element(), fromPackage())) {
            return problem(breaks + "'" + name + "': " + Unfingerprintable.invisible(fromPackage()));
        }
        if (segment.isMapKey()) {
            return problem(breaks + "['" + name + "']: " + type.erasure() + " is not a map from texts.");
        }
        List<String> properties = properties(type);
        return problem(breaks + "'" + name + "': " + type.erasure() + " has no such property."
                + Similar.didYouMean(name, properties)
                + (properties.isEmpty() ? "" : " It has " + String.join(", ", properties) + "."));
    }

    private Optional<Part> unknownParameter(String path, String name) {
        List<String> names =
                method.parameters().stream().map(OperationParameter::name).toList();
        String longer = method.parameters().stream()
                .filter(parameter -> properties(parameter.type()).contains(name))
                .map(parameter -> "key = \"" + parameter.name() + "." + path + "\"")
                .collect(Collectors.joining(", "));
        return problem("The key '" + path + "' starts with '" + name + "', which is not a parameter; "
                + (names.isEmpty() ? "the method has none" : "the parameters are " + String.join(", ", names)) + "."
                + (longer.isEmpty() ? Similar.didYouMean(name, names) : " Write " + longer + "."));
    }

    private String fromPackage() {
        return method.owner().getPackageName();
    }

    private Optional<Part> problem(String message) {
        problems.add(message);
        return Optional.empty();
    }
}

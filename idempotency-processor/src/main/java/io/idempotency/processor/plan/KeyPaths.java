package io.idempotency.processor.plan;

import io.idempotency.definition.Similar;
import io.idempotency.processor.model.Accessors;
import io.idempotency.processor.model.Accessors.Accessor;
import io.idempotency.processor.model.Accessors.State;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.OperationParameter;
import io.idempotency.processor.model.Unreadable;
import io.idempotency.processor.plan.KeyPart.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Follows property paths from a method's parameters and says where they break. */
final class KeyPaths {

    private final OperationMethod method;
    private final KeySteps stepping;
    private final List<String> problems;

    KeyPaths(OperationMethod method, Map<String, State> states, List<String> problems) {
        this.method = method;
        this.stepping = new KeySteps(method.owner().getPackageName(), states);
        this.problems = problems;
    }

    Optional<KeyPart> plan(String written) {
        Optional<KeyPath> parsed = KeyPath.parse(written);
        if (parsed.isEmpty()) {
            return problem("The key '" + written + "' is no property path. Write one, for instance order.id or"
                    + " headers['message-id'], or an expression #{…}.");
        }
        KeyPath path = parsed.get();
        return Unreadable.or(
                () -> planned(written, path),
                why -> problem(
                        "The key '" + written + "' leads to a type that the compiler cannot follow: " + why + "."));
    }

    private Optional<KeyPart> planned(String written, KeyPath path) {
        return method.parameters().stream()
                .filter(parameter -> parameter.name().equals(path.parameter()))
                .findFirst()
                .map(start -> follow(written, path, start))
                .orElseGet(() -> unknownParameter(written, path.parameter()));
    }

    private Optional<KeyPart> follow(String written, KeyPath path, OperationParameter start) {
        List<Step> steps = new ArrayList<>();
        BoundType type = stepping.unwrap(start.type(), steps);
        for (KeyPath.Segment segment : path.segments()) {
            Optional<Step> next = stepping.next(type, segment);
            if (next.isEmpty()) {
                return broken(written, type, segment);
            }
            steps.add(next.get());
            type = stepping.unwrap(next.get().type(), steps);
        }
        return part(written, start, steps, type);
    }

    private Optional<KeyPart> part(String written, OperationParameter start, List<Step> steps, BoundType type) {
        Optional<Scalars.Scalar> scalar = Scalars.of(type);
        if (scalar.isPresent()) {
            return Optional.of(
                    new KeyPart(start, steps, scalar.get().tag(), scalar.get().text()));
        }
        List<Accessor> properties = stepping.properties(type);
        return problem("The key '" + written + "' ends at " + type.erasure() + ", which is not a single value."
                + (properties.isEmpty()
                        ? " Name a text, number, date, UUID, enum or the like."
                        : " Go on to one of its properties: " + names(properties) + "."));
    }

    private Optional<KeyPart> broken(String written, BoundType type, KeyPath.Segment segment) {
        if (!type.isPrimitive() && !Accessors.isVisible(type.element(), stepping.fromPackage())) {
            return problem("The key '" + written + "' breaks at '" + segment.name() + "': "
                    + Unfingerprintable.invisible(stepping.fromPackage()));
        }
        if (segment.isMapKey()) {
            return problem("The key '" + written + "' breaks at ['" + segment.name() + "']: " + type.erasure()
                    + " is not a map from texts.");
        }
        List<Accessor> properties = stepping.properties(type);
        return problem("The key '" + written + "' breaks at '" + segment.name() + "': " + type.erasure()
                + " has no such property."
                + Similar.didYouMean(
                        segment.name(), properties.stream().map(Accessor::name).toList())
                + (properties.isEmpty() ? "" : " It has " + names(properties) + "."));
    }

    private Optional<KeyPart> unknownParameter(String written, String name) {
        List<String> longer = method.parameters().stream()
                .filter(parameter -> stepping.offers(parameter.type(), name))
                .map(parameter -> parameter.name() + "." + written)
                .toList();
        String parameters = method.parameters().isEmpty()
                ? "the method has none"
                : "the parameters are " + joined(method.parameters().stream().map(OperationParameter::name));
        List<String> names =
                method.parameters().stream().map(OperationParameter::name).toList();
        return problem("The key '" + written + "' starts with '" + name + "', which is not a parameter; " + parameters
                + "."
                + (longer.isEmpty() ? Similar.didYouMean(name, names) : "")
                + (longer.isEmpty()
                        ? ""
                        : " Write " + joined(longer.stream().map(each -> "key = \"" + each + "\"")) + "."));
    }

    private Optional<KeyPart> problem(String message) {
        problems.add(message);
        return Optional.empty();
    }

    private static String names(List<Accessor> accessors) {
        return joined(accessors.stream().map(Accessor::name));
    }

    private static String joined(Stream<String> names) {
        return names.collect(Collectors.joining(", "));
    }
}

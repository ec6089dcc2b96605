package io.idempotency.processor.plan;

import io.idempotency.processor.model.Accessors;
import io.idempotency.processor.model.Accessors.Accessor;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.OperationParameter;
import io.idempotency.processor.plan.KeyPart.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Follows property paths from a method's parameters and says where they break. */
final class KeyPaths {

    private final OperationMethod method;
    private final String fromPackage;
    private final List<String> problems;

    KeyPaths(OperationMethod method, List<String> problems) {
        this.method = method;
        this.fromPackage = method.owner().getPackageName();
        this.problems = problems;
    }

    Optional<KeyPart> plan(String path) {
        String[] names = path.split("\\.", -1);
        Optional<OperationParameter> start = method.parameters().stream()
                .filter(parameter -> parameter.name().equals(names[0]))
                .findFirst();
        if (start.isEmpty()) {
            return unknownParameter(path, names[0]);
        }
        List<Step> steps = new ArrayList<>();
        BoundType type = start.get().type();
        for (int i = 1; i < names.length; i++) {
            Optional<Accessor> next = property(type, names[i]);
            if (next.isEmpty()) {
                return unknownProperty(path, type, names[i]);
            }
            type = next.get().type();
            steps.add(new Step(names[i], next.get().code(), type));
        }
        return part(path, start.get(), steps, type);
    }

    private Optional<KeyPart> part(String path, OperationParameter start, List<Step> steps, BoundType type) {
        Optional<Scalars.Scalar> scalar = Scalars.of(type);
        if (scalar.isPresent()) {
            return Optional.of(
                    new KeyPart(start, steps, scalar.get().tag(), scalar.get().text()));
        }
        return problem("The key '" + path + "' ends at " + type.erasure() + ", which is not a single value."
                + continued(path, type));
    }

    private Optional<Accessor> property(BoundType type, String name) {
        return isFollowed(type) ? Accessors.named(type, name, fromPackage) : Optional.empty();
    }

    private static boolean isFollowed(BoundType type) {
        return type.component() == null
                && !type.isPrimitive()
                && Scalars.of(type).isEmpty();
    }

    private Optional<KeyPart> unknownParameter(String path, String name) {
        List<String> longer = method.parameters().stream()
                .filter(parameter -> property(parameter.type(), name).isPresent())
                .map(parameter -> parameter.name() + "." + path)
                .toList();
        String parameters = method.parameters().isEmpty()
                ? "the method has none"
                : "the parameters are " + joined(method.parameters().stream().map(OperationParameter::name));
        return problem("The key '" + path + "' starts with '" + name + "', which is not a parameter; " + parameters
                + "."
                + (longer.isEmpty()
                        ? ""
                        : " Write " + joined(longer.stream().map(each -> "key = \"" + each + "\"")) + "."));
    }

    private Optional<KeyPart> unknownProperty(String path, BoundType type, String name) {
        return problem("The key '" + path + "' breaks at '" + name + "': " + type.erasure() + " has no such property."
                + continued("", type));
    }

    private String continued(String path, BoundType type) {
        List<Accessor> properties = isFollowed(type) ? Accessors.of(type, fromPackage) : List.of();
        if (properties.isEmpty()) {
            return " Name a text, number, date, UUID, enum or the like.";
        }
        String names = joined(properties.stream().map(Accessor::name));
        return path.isEmpty() ? " It has " + names + "." : " Go on to one of its properties: " + names + ".";
    }

    private Optional<KeyPart> problem(String message) {
        problems.add(message);
        return Optional.empty();
    }

    private static String joined(Stream<String> names) {
        return names.collect(Collectors.joining(", "));
    }
}

package io.idempotency.processor.rule;

import io.idempotency.processor.model.Accessors.State;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.RuleId;
import io.idempotency.processor.model.Subtypes;
import io.idempotency.processor.model.Unreadable;
import io.idempotency.processor.plan.Operation;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.PropertyElement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The types in a result, and the parts that a duplicate would not get. */
final class ResultGraph {

    static final String DISCRIMINATOR =
            "Add @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = \"type\") and @JsonSubTypes to it";
    private static final String JACKSON = "com.fasterxml.jackson.annotation.";
    private static final List<String> PLATFORM =
            List.of("java.", "javax.", "jakarta.", "kotlin.", "io.micronaut.", "reactor.", "com.fasterxml.jackson.");
    private static final List<String> CONTAINERS =
            List.of("java.lang.Iterable", "java.util.Map", "java.util.Map$Entry", "java.time.temporal.Temporal");
    /** Annotations by which a type itself says how it is read. */
    private static final List<String> CUSTOM = List.of(
            "com.fasterxml.jackson.databind.annotation.JsonDeserialize",
            JACKSON + "JsonValue",
            JACKSON + "JsonTypeInfo");

    private final Operation operation;
    private final Subtypes subtypes;
    private final Set<String> seen = new HashSet<>();

    /** The parts that a duplicate would not get, by the paths to them. */
    final Map<String, Finding> findings = new LinkedHashMap<>();

    /** The classes in the result, without enums. */
    final List<BoundType> classes = new ArrayList<>();

    /** The concrete classes in the result that may have subclasses. */
    final List<BoundType> extensible = new ArrayList<>();

    private int depth;
    private boolean endless;

    ResultGraph(Operation operation, Subtypes subtypes) {
        this.operation = operation;
        this.subtypes = subtypes;
        BoundType result = operation.result().type();
        if (result != null) {
            walk(result, "");
        }
    }

    /** The rule that reports a part; the text says where the part is, why, and what to do. */
    record Finding(RuleId id, String text) {}

    private void walk(BoundType type, String path) {
        if (endless) {
            return;
        }
        if (depth == BoundType.MAX_DEPTH) {
            // reports once: deeper types only repeat the problem
            endless = true;
            findings.clear();
            add(RuleId.UNREPLAYABLE_RESULT, "", "its type arguments grow without end. Return a type that ends");
            return;
        }
        depth++;
        Unreadable.run(() -> step(type, path), why -> add(RuleId.UNREPLAYABLE_RESULT, path, why));
        depth--;
    }

    private void step(BoundType type, String path) {
        if (type.component() != null) {
            walk(type.component(), path);
        } else if (ResultTypes.isOpenResponse(type)) {
            ResultTypes.openResponse(operation.method()).ifPresent(why -> add(RuleId.UNREPLAYABLE_RESULT, path, why));
        } else if (!type.isPrimitive() && seen.add(type.sourceName()) && isRecordable(type, path)) {
            boolean ofThePlatform = PLATFORM.stream().anyMatch(type.name()::startsWith);
            if (ofThePlatform || type.isAssignableToAny(CONTAINERS)) {
                type.arguments().values().forEach(argument -> walk(argument, path));
            }
            if (type.element().isEnum()) {
                return;
            }
            classes.add(type);
            if (!ofThePlatform) {
                own(type, path);
            }
        }
    }

    private boolean isRecordable(BoundType type, String path) {
        Optional<String> never = ResultTypes.never(type).or(() -> visibility(type));
        if (never.isPresent()) {
            add(RuleId.UNREPLAYABLE_RESULT, path, never.get());
            return false;
        }
        Optional<String> inexact = ResultTypes.inexact(type).or(() -> ofThePlatform(type));
        inexact.ifPresent(why -> add(RuleId.INEXACT_RESULT, path, why));
        return inexact.isEmpty();
    }

    private Optional<String> visibility(BoundType type) {
        String fromPackage = operation.method().owner().getPackageName();
        return BoundType.isVisible(type.element(), fromPackage)
                ? Optional.empty()
                : Optional.of("code in package " + fromPackage + " cannot see " + type.erasure()
                        + ", and that is where its definition is generated. Make the type package-private there or"
                        + " public");
    }

    private static Optional<String> ofThePlatform(BoundType type) {
        return type.name().startsWith("java.") && type.element().isInterface() && !type.isAssignableToAny(CONTAINERS)
                ? Optional.of(
                        type.erasure() + " is an interface, and nothing says which class a duplicate shall get. Name"
                                + " a concrete type")
                : Optional.empty();
    }

    /** Checks a type of the application or of an unknown library. */
    private void own(BoundType type, String path) {
        ClassElement element = type.element();
        List<Subtypes.Subtype> below = subtypes.of(type);
        if (CUSTOM.stream().anyMatch(element::hasDeclaredAnnotation)) {
            below.forEach(each -> walk(each.type(), path));
        } else if (!below.isEmpty()) {
            String names = below.stream().map(Subtypes.Subtype::name).collect(Collectors.joining(", "));
            inexact(
                    path,
                    "nothing in the JSON of " + type.erasure() + " says which of " + names + " it was. " + DISCRIMINATOR
                            + ", or return a concrete type");
        } else if (type.isAbstract() && !type.isAssignableToAny(CONTAINERS)) {
            inexact(
                    path,
                    type.erasure() + " is abstract, and nothing says which class a duplicate shall get. Return a"
                            + " concrete type, or seal it. " + DISCRIMINATOR + ", or @JsonDeserialize");
        } else {
            properties(type, path);
        }
    }

    private void properties(BoundType type, String path) {
        if (!type.element().isFinal() && !isDiscriminated(type.element())) {
            extensible.add(type);
        }
        State state = operation.state(type);
        Set<String> ignored = new HashSet<>();
        for (PropertyElement property : state.properties()) {
            if (property.hasStereotype(JACKSON + "JsonIgnore")) {
                ignored.add(property.getName());
                if (type.element().isRecord() || property.getField().isPresent()) {
                    inexact(
                            child(path, property.getName()),
                            "@JsonIgnore keeps it out of the record, so a duplicate gets none of it, or nothing at"
                                    + " all. Remove it, or return a type without it");
                }
            }
        }
        state.readable().stream()
                .filter(accessor -> !ignored.contains(accessor.name()))
                .forEach(accessor -> walk(accessor.type(), child(path, accessor.name())));
    }

    /** Tells whether a type or a super type has the annotation: Jackson inherits it. */
    private static boolean isDiscriminated(ClassElement type) {
        return type.hasDeclaredAnnotation(JACKSON + "JsonTypeInfo")
                || Stream.concat(type.getSuperType().stream(), type.getInterfaces().stream())
                        .anyMatch(ResultGraph::isDiscriminated);
    }

    private static String child(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private void inexact(String path, String why) {
        add(RuleId.INEXACT_RESULT, path, why);
    }

    private void add(RuleId id, String path, String why) {
        findings.putIfAbsent(path, new Finding(id, path.isEmpty() ? why : "'" + path + "': " + why));
    }
}

package io.idempotency.processor.rule.result;

import io.idempotency.processor.model.Accessors;
import io.idempotency.processor.model.Accessors.State;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.Subtypes;
import io.idempotency.processor.model.Unreadable;
import io.idempotency.processor.rule.RuleId;
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

/** Everything that a result holds, and what of it a duplicate would not get. */
final class ResultGraph {

    static final String DISCRIMINATOR =
            "Add @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = \"type\") and @JsonSubTypes to it";

    private static final String JACKSON = "com.fasterxml.jackson.annotation.";
    private static final List<String> PLATFORM =
            List.of("java.", "javax.", "jakarta.", "kotlin.", "io.micronaut.", "reactor.", "com.fasterxml.jackson.");
    private static final List<String> CONTAINERS =
            List.of("java.lang.Iterable", "java.util.Map", "java.util.Map$Entry", "java.time.temporal.Temporal");

    /** A type with one of these says itself how it is read. */
    private static final List<String> CUSTOM = List.of(
            "com.fasterxml.jackson.databind.annotation.JsonDeserialize",
            JACKSON + "JsonValue",
            JACKSON + "JsonTypeInfo");

    private final OperationMethod method;
    private final Subtypes subtypes;
    private final ResultStates states;
    private final Set<String> seen = new HashSet<>();
    private final Map<String, Finding> findings = new LinkedHashMap<>();
    private final List<BoundType> classes = new ArrayList<>();
    private int depth;
    private boolean endless;

    ResultGraph(OperationMethod method, Subtypes subtypes, ResultStates states) {
        this.method = method;
        this.subtypes = subtypes;
        this.states = states;
    }

    /**
     * Something that a duplicate would not get.
     *
     * @param id the rule that says so
     * @param text where it is, why, and what to do
     */
    record Finding(RuleId id, String text) {}

    List<Finding> findings() {
        return List.copyOf(findings.values());
    }

    /** The concrete classes in the result that may have subclasses. */
    List<BoundType> classes() {
        return List.copyOf(classes);
    }

    void walk(BoundType result) {
        walk(result, "");
    }

    private void walk(BoundType type, String path) {
        if (endless) {
            return;
        }
        if (depth == BoundType.MAX_DEPTH) {
            // said once: everything else on the way would be the same again
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
        } else if (OpenResponse.is(type)) {
            OpenResponse.reason(method).ifPresent(why -> add(RuleId.UNREPLAYABLE_RESULT, path, why));
        } else if (!type.isPrimitive() && seen.add(type.sourceName()) && isRecordable(type, path)) {
            boolean ofThePlatform = PLATFORM.stream().anyMatch(type.name()::startsWith);
            if (ofThePlatform || type.isAssignableToAny(CONTAINERS)) {
                type.arguments().values().forEach(argument -> walk(argument, path));
            }
            if (!ofThePlatform && !type.element().isEnum()) {
                own(type, path);
            }
        }
    }

    private boolean isRecordable(BoundType type, String path) {
        Optional<String> never = ResultTypes.never(type).or(() -> visibility(type));
        never.ifPresent(why -> add(RuleId.UNREPLAYABLE_RESULT, path, why));
        Optional<String> inexact =
                never.isPresent() ? Optional.empty() : ResultTypes.inexact(type).or(() -> ofThePlatform(type));
        inexact.ifPresent(why -> add(RuleId.INEXACT_RESULT, path, why));
        return never.isEmpty() && inexact.isEmpty();
    }

    private Optional<String> visibility(BoundType type) {
        String fromPackage = method.owner().getPackageName();
        return Accessors.isVisible(type.element(), fromPackage)
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

    /** A type of the application, or of a library that nothing is known of. */
    private void own(BoundType type, String path) {
        ClassElement element = type.element();
        if (CUSTOM.stream().anyMatch(element::hasDeclaredAnnotation)) {
            subtypes.of(type).forEach(each -> walk(each.type(), path));
            return;
        }
        List<Subtypes.Subtype> below = subtypes.of(type);
        if (!below.isEmpty()) {
            String names = below.stream().map(Subtypes.Subtype::name).collect(Collectors.joining(", "));
            add(
                    RuleId.INEXACT_RESULT,
                    path,
                    "nothing in the JSON of " + type.erasure() + " says which of " + names + " it was. " + DISCRIMINATOR
                            + ", or return a concrete type");
        } else if ((element.isInterface() || element.isAbstract()) && !type.isAssignableToAny(CONTAINERS)) {
            add(
                    RuleId.INEXACT_RESULT,
                    path,
                    type.erasure() + " is abstract, and nothing says which class a duplicate"
                            + " shall get. Return a concrete type, or seal it. " + DISCRIMINATOR
                            + ", or @JsonDeserialize");
        } else {
            properties(type, path);
        }
    }

    private void properties(BoundType type, String path) {
        if (!type.element().isFinal() && !isDiscriminated(type.element())) {
            classes.add(type);
        }
        State state = states.of(type, method);
        Set<String> ignored = new HashSet<>();
        for (PropertyElement property : state.properties()) {
            if (!property.hasStereotype(JACKSON + "JsonIgnore")) {
                continue;
            }
            ignored.add(property.getName());
            if (isState(type, property)) {
                add(
                        RuleId.INEXACT_RESULT,
                        child(path, property.getName()),
                        "@JsonIgnore keeps it out of the record, so a"
                                + " duplicate gets none of it, or nothing at all. Remove it, or return a type without it");
            }
        }
        state.readable().stream()
                .filter(accessor -> !ignored.contains(accessor.name()))
                .forEach(accessor -> walk(accessor.type(), child(path, accessor.name())));
    }

    /** Jackson inherits the annotation. */
    private static boolean isDiscriminated(ClassElement type) {
        return type.hasDeclaredAnnotation(JACKSON + "JsonTypeInfo")
                || Stream.concat(type.getSuperType().stream(), type.getInterfaces().stream())
                        .anyMatch(ResultGraph::isDiscriminated);
    }

    private static boolean isState(BoundType type, PropertyElement property) {
        return type.element().isRecord() || property.getField().isPresent();
    }

    private static String child(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private void add(RuleId id, String path, String why) {
        findings.putIfAbsent(path, new Finding(id, path.isEmpty() ? why : "'" + path + "': " + why));
    }
}

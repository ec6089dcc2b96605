package io.idempotency.processor.model;

import io.micronaut.core.annotation.AnnotationValue;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.GenericPlaceholderElement;
import io.micronaut.inject.visitor.VisitorContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Finds the classes of closed hierarchies: those that a sealed type permits, or that {@code @JsonSubTypes} names. */
public final class Subtypes {

    private static final String JSON_SUB_TYPES = "com.fasterxml.jackson.annotation.JsonSubTypes";
    private static final String JSON_TYPE_NAME = "com.fasterxml.jackson.annotation.JsonTypeName";

    private final VisitorContext context;

    public Subtypes(VisitorContext context) {
        this.context = context;
    }

    /** A concrete subtype and its distinctive name. */
    public record Subtype(String name, BoundType type) {}

    /** Returns the concrete subtypes, subclasses first; empty for an open hierarchy. */
    public List<Subtype> of(BoundType type) {
        Map<String, Subtype> found = new LinkedHashMap<>();
        collect(type, nameOf(type.element()), found);
        List<Subtype> ordered = new ArrayList<>();
        for (Subtype each : found.values()) {
            int at = 0;
            while (at < ordered.size()
                    && !each.type().isAssignable(ordered.get(at).type().name())) {
                at++;
            }
            ordered.add(at, each);
        }
        boolean isHierarchy =
                ordered.size() > 1 || ordered.stream().noneMatch(it -> it.type().is(type.name()));
        return isHierarchy ? List.copyOf(ordered) : List.of();
    }

    private void collect(BoundType type, String name, Map<String, Subtype> found) {
        Map<ClassElement, String> below = below(type.element());
        // an abstract class without subtypes is open, and reported when its shape is planned
        if (!type.isAbstract() || below.isEmpty()) {
            found.put(type.name(), new Subtype(name, type));
        }
        below.forEach((subtype, given) -> {
            BoundType bound = bind(subtype, type);
            if (!found.containsKey(subtype.getName()) && isPossible(bound, type)) {
                collect(bound, given, found);
            }
        });
    }

    /** Binds a subtype's type variables to the arguments of its super type. */
    private static BoundType bind(ClassElement subtype, BoundType superType) {
        Map<String, BoundType> arguments =
                new LinkedHashMap<>(BoundType.of(subtype, Map.of()).arguments());
        Stream.concat(subtype.getSuperType().stream(), subtype.getInterfaces().stream())
                .filter(each -> each.getName().equals(superType.name()))
                .forEach(each -> {
                    List<? extends ClassElement> handed = each.getBoundGenericTypes();
                    for (int i = 0; i < handed.size(); i++) {
                        if (handed.get(i) instanceof GenericPlaceholderElement variable) {
                            superType.argument(i).ifPresent(it -> arguments.put(variable.getVariableName(), it));
                        }
                    }
                });
        return new BoundType(subtype, arguments, null);
    }

    /** Tells whether a value can be of both types: no {@code Paid implements Event<Payment>} is an Event of Order. */
    private static boolean isPossible(BoundType subtype, BoundType superType) {
        List<BoundType> handed = subtype.as(superType.name()).map(BoundType::arguments).stream()
                .flatMap(arguments -> arguments.values().stream())
                .toList();
        List<BoundType> expected = List.copyOf(superType.arguments().values());
        return handed.size() != expected.size()
                || IntStream.range(0, handed.size()).noneMatch(i -> areApart(handed.get(i), expected.get(i)));
    }

    private static boolean areApart(BoundType one, BoundType other) {
        return isClass(one) && isClass(other) && !one.isAssignable(other.name()) && !other.isAssignable(one.name());
    }

    private static boolean isClass(BoundType type) {
        return type.component() == null && !type.element().isInterface() && !type.is("java.lang.Object");
    }

    /** Returns the subtypes that a type names, with their distinctive names. */
    private Map<ClassElement, String> below(ClassElement type) {
        Map<ClassElement, String> below = new LinkedHashMap<>();
        if (type.hasDeclaredAnnotation(JSON_SUB_TYPES)) {
            for (AnnotationValue<?> each : type.getAnnotation(JSON_SUB_TYPES).getAnnotations("value")) {
                String subtype = each.stringValue().orElse("");
                String given = each.stringValue("name").orElse("");
                context.getClassElement(subtype)
                        .ifPresent(it -> below.put(it, given.isEmpty() ? BoundType.lastName(subtype) : given));
            }
        }
        if (below.isEmpty() && context.getLanguage() == VisitorContext.Language.JAVA) {
            CompilerModel.permitted(type, context).forEach(each -> below.put(each, nameOf(each)));
        }
        return below;
    }

    private static String nameOf(ClassElement type) {
        return type.stringValue(JSON_TYPE_NAME).orElse(BoundType.lastName(type.getName()));
    }

    public boolean isCompiled(ClassElement type) {
        return CompilerModel.tree(type, context) != null;
    }

    /** Tells whether a class of these sources does not name its subclasses, and may have some. */
    public boolean isExtensible(ClassElement type) {
        return !type.isFinal()
                && !type.isRecord()
                && isCompiled(type)
                && below(type).isEmpty();
    }
}

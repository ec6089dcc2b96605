package io.idempotency.processor.model;

import io.idempotency.NotFingerprinted;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.ElementModifier;
import io.micronaut.inject.ast.ElementQuery;
import io.micronaut.inject.ast.FieldElement;
import io.micronaut.inject.ast.MemberElement;
import io.micronaut.inject.ast.MethodElement;
import io.micronaut.inject.ast.PropertyElement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The properties of a type that generated code in a given package can read. */
public final class Accessors {

    private Accessors() {}

    /**
     * How a property is read.
     *
     * @param name the property
     * @param code what follows the value in source code: {@code orderId()}, {@code getOrderId()} or {@code orderId}
     * @param type the property's type
     * @param notFingerprinted whether it is {@code @NotFingerprinted}
     */
    public record Accessor(String name, String code, BoundType type, boolean notFingerprinted) {}

    /** The readable properties, sorted by name: record components, getters, public fields. */
    public static List<Accessor> of(BoundType type, String fromPackage) {
        Map<String, Accessor> found = new TreeMap<>();
        for (PropertyElement property : type.element().getBeanProperties()) {
            property.getReadMethod()
                    .filter(method -> isVisible(method, fromPackage))
                    .ifPresent(method -> found.put(property.getName(), read(type, property, method)));
        }
        for (FieldElement field : instanceFields(type.element())) {
            if (field.isPublic()) {
                found.computeIfAbsent(field.getName(), name -> read(type, field));
            }
        }
        return List.copyOf(found.values());
    }

    /** State that no property shows: instance fields that generated code cannot read, sorted by name. */
    public static List<String> hidden(BoundType type, String fromPackage) {
        List<String> readable =
                of(type, fromPackage).stream().map(Accessor::name).toList();
        List<String> hidden = new ArrayList<>();
        for (FieldElement field : instanceFields(type.element())) {
            if (!isRead(field, readable) && !field.hasStereotype(NotFingerprinted.class)) {
                hidden.add(field.getName());
            }
        }
        hidden.sort(Comparator.naturalOrder());
        return hidden;
    }

    /** The property of that name. */
    public static Optional<Accessor> named(BoundType type, String name, String fromPackage) {
        return of(type, fromPackage).stream()
                .filter(accessor -> accessor.name().equals(name))
                .findFirst();
    }

    /** Whether code in a package can name a class. */
    public static boolean isVisible(ClassElement type, String fromPackage) {
        boolean visible =
                type.isPublic() || (!type.isPrivate() && type.getPackageName().equals(fromPackage));
        return visible
                && type.getEnclosingType()
                        .map(outer -> isVisible(outer, fromPackage))
                        .orElse(true);
    }

    private static boolean isVisible(MemberElement member, String fromPackage) {
        return member.isPublic()
                || (!member.isPrivate()
                        && member.getDeclaringType().getPackageName().equals(fromPackage));
    }

    private static Accessor read(BoundType type, PropertyElement property, MethodElement method) {
        BoundType bound = TypeBinding.bind(method.getGenericReturnType(), type.scopeOf(method.getDeclaringType()));
        boolean notFingerprinted = property.hasStereotype(NotFingerprinted.class)
                || method.hasStereotype(NotFingerprinted.class)
                || isSkippedByConstructor(method.getDeclaringType(), property.getName());
        return new Accessor(property.getName(), method.getName() + "()", bound, notFingerprinted);
    }

    /** Kotlin puts an annotation of a property in the constructor's head on the parameter, unless told otherwise. */
    private static boolean isSkippedByConstructor(ClassElement declaring, String property) {
        return declaring.getPrimaryConstructor().stream()
                .flatMap(constructor -> Stream.of(constructor.getParameters()))
                .anyMatch(parameter ->
                        parameter.getName().equals(property) && parameter.hasStereotype(NotFingerprinted.class));
    }

    private static Accessor read(BoundType type, FieldElement field) {
        BoundType bound = TypeBinding.bind(field.getGenericType(), type.scopeOf(field.getDeclaringType()));
        return new Accessor(field.getName(), field.getName(), bound, field.hasStereotype(NotFingerprinted.class));
    }

    private static List<FieldElement> instanceFields(ClassElement type) {
        return type.getEnclosedElements(ElementQuery.ALL_FIELDS.onlyInstance()).stream()
                .filter(field -> !field.getModifiers().contains(ElementModifier.TRANSIENT))
                .toList();
    }

    private static boolean isRead(FieldElement field, List<String> properties) {
        String name = field.getName();
        // a field isUrgent or _urgent belongs to the property urgent as often as to one of its own name
        return properties.stream()
                .anyMatch(property -> name.equals(property)
                        || name.equals("_" + property)
                        || name.equals("is" + Character.toUpperCase(property.charAt(0)) + property.substring(1)));
    }
}

package io.idempotency.processor.model;

import io.idempotency.NotFingerprinted;
import io.idempotency.fingerprint.FingerprintDefault;
import io.idempotency.fingerprint.FingerprintName;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.Element;
import io.micronaut.inject.ast.ElementModifier;
import io.micronaut.inject.ast.ElementQuery;
import io.micronaut.inject.ast.FieldElement;
import io.micronaut.inject.ast.GenericPlaceholderElement;
import io.micronaut.inject.ast.MemberElement;
import io.micronaut.inject.ast.MethodElement;
import io.micronaut.inject.ast.PropertyElement;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The properties of a type that generated code in a given package can read. */
public final class Accessors {

    /** Getters that every collection has, and that say nothing which its elements do not. */
    private static final Set<String> OF_CONTAINERS = Set.of("empty", "first", "last");

    /** What every object has, and says about itself rather than about what it holds. */
    private static final Set<String> OF_OBJECTS = Set.of("hashCode", "toString", "getClass", "clone");

    private Accessors() {}

    /**
     * How a property is read.
     *
     * @param name the property
     * @param written its name in the fingerprint
     * @param code reads it, of the value
     * @param type the property's type
     * @param notFingerprinted whether it is {@code @NotFingerprinted}
     * @param absent the value that is as if there were none, as text; null where each counts
     */
    public record Accessor(
            String name,
            String written,
            Code code,
            BoundType type,
            boolean notFingerprinted,
            @Nullable String absent) {}

    /** The readable properties, sorted by name: record components, getters, public fields. */
    private static List<Accessor> of(
            BoundType type, List<PropertyElement> properties, List<FieldElement> fields, String fromPackage) {
        Map<String, Accessor> found = new TreeMap<>();
        ConstructorParameters parameters = new ConstructorParameters();
        for (PropertyElement property : properties) {
            property.getReadMethod()
                    .filter(method -> isVisible(method, fromPackage))
                    .ifPresent(method -> found.put(property.getName(), read(type, property, method, parameters)));
        }
        for (FieldElement field : fields) {
            if (field.isPublic()) {
                found.computeIfAbsent(field.getName(), name -> read(type, field));
            } else if (!found.containsKey(field.getName())) {
                plain(type, field.getName(), fromPackage)
                        .filter(method -> method.getReturnType()
                                .getName()
                                .equals(field.getType().getName()))
                        .ifPresent(method -> found.put(field.getName(), read(type, field, method)));
            }
        }
        return List.copyOf(found.values());
    }

    /** An accessor of the property's own name, {@code record.topic()}, as immutable classes have it. */
    private static Optional<MethodElement> plain(BoundType type, String name, String fromPackage) {
        if (OF_OBJECTS.contains(name)) {
            return Optional.empty();
        }
        return type
                .element()
                .getEnclosedElements(ElementQuery.ALL_METHODS
                        .onlyInstance()
                        .named(name)
                        .filter(method -> method.getParameters().length == 0))
                .stream()
                .filter(method -> isVisible(method, fromPackage)
                        && !method.getReturnType().isVoid()
                        && !method.isSuspend())
                .findFirst();
    }

    /**
     * What a type's values hold.
     *
     * @param readable the properties that generated code can read, sorted by name
     * @param hidden instance fields that no property shows, sorted by name
     * @param properties the properties as Micronaut knows them
     */
    public record State(List<Accessor> readable, List<String> hidden, List<PropertyElement> properties) {

        /** The state of a type's values. */
        public static State of(BoundType type, String fromPackage) {
            List<PropertyElement> properties = type.element().getBeanProperties();
            List<FieldElement> fields = instanceFields(type.element());
            List<Accessor> readable = Accessors.of(type, properties, fields, fromPackage);
            List<String> names = readable.stream().map(Accessor::name).toList();
            return new State(readable, hiddenBeside(names, fields), properties);
        }
    }

    private static List<String> hiddenBeside(List<String> readable, List<FieldElement> fields) {
        List<String> hidden = new ArrayList<>();
        for (FieldElement field : fields) {
            if (!isRead(field, readable) && !field.hasStereotype(NotFingerprinted.class)) {
                hidden.add(field.getName());
            }
        }
        hidden.sort(Comparator.naturalOrder());
        return hidden;
    }

    /** What a container holds besides its elements: properties and fields that no platform class declares, sorted by name. */
    public static List<String> besidesElements(BoundType type) {
        if (isPlatform(type.element())) {
            return List.of();
        }
        Set<String> own = new TreeSet<>();
        Set<String> skipped = new HashSet<>(OF_CONTAINERS);
        ConstructorParameters parameters = new ConstructorParameters();
        for (PropertyElement property : type.element().getBeanProperties()) {
            property.getReadMethod()
                    .filter(method -> !isPlatform(method.getDeclaringType()))
                    .ifPresent(method ->
                            (isSkipped(property, method, parameters) ? skipped : own).add(property.getName()));
        }
        for (FieldElement field : instanceFields(type.element())) {
            if (!isPlatform(field.getDeclaringType())) {
                (field.hasStereotype(NotFingerprinted.class) ? skipped : own).add(field.getName());
            }
        }
        for (MethodElement method : shown(type.element())) {
            (method.hasStereotype(NotFingerprinted.class) ? skipped : own).add(method.getName());
        }
        own.removeAll(skipped);
        return List.copyOf(own);
    }

    /** What an abstract container shows by methods of the property's name: {@code page.cursor()}. */
    private static List<MethodElement> shown(ClassElement type) {
        return type.getEnclosedElements(ElementQuery.ALL_METHODS
                .onlyAbstract()
                .filter(method -> method.getParameters().length == 0
                        && !method.getReturnType().isVoid()
                        && !isPlatform(method.getDeclaringType())
                        && method.getOverriddenMethods().stream()
                                .noneMatch(overridden -> isPlatform(overridden.getDeclaringType()))
                        && !isGetter(method.getName())));
    }

    private static boolean isGetter(String name) {
        return name.matches("(get|is)\\p{Lu}.*");
    }

    private static boolean isPlatform(ClassElement type) {
        return Stream.of("java.", "kotlin.", "io.micronaut.").anyMatch(type.getName()::startsWith);
    }

    /** The one of some properties that has that name, or what a method of that name says: a key's path says itself that it is a property. */
    public static Optional<Accessor> named(List<Accessor> properties, BoundType type, String name, String fromPackage) {
        return properties.stream()
                .filter(accessor -> accessor.name().equals(name))
                .findFirst()
                .or(() -> plain(type, name, fromPackage)
                        .map(method -> read(type, name, name, method, false, Optional.empty())));
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

    private static Accessor read(
            BoundType type, PropertyElement property, MethodElement method, ConstructorParameters parameters) {
        List<Element> carriers = new ArrayList<>(List.of(property, method));
        parameters.of(method.getDeclaringType(), property.getName()).ifPresent(carriers::add);
        String name = property.getName();
        return read(
                type,
                name,
                text(carriers, FingerprintName.class).orElse(name),
                method,
                isSkipped(property, method, parameters),
                text(carriers, FingerprintDefault.class));
    }

    private static Optional<String> text(List<? extends Element> carriers, Class<? extends Annotation> annotation) {
        return carriers.stream()
                .flatMap(carrier -> carrier.stringValue(annotation).stream())
                .findFirst();
    }

    private static Accessor read(BoundType type, FieldElement field, MethodElement method) {
        boolean skipped = field.hasStereotype(NotFingerprinted.class) || method.hasStereotype(NotFingerprinted.class);
        List<Element> carriers = List.of(field, method);
        String name = field.getName();
        return read(
                type,
                name,
                text(carriers, FingerprintName.class).orElse(name),
                method,
                skipped,
                text(carriers, FingerprintDefault.class));
    }

    private static Accessor read(
            BoundType type,
            String name,
            String written,
            MethodElement method,
            boolean skipped,
            Optional<String> absent) {
        BoundType bound = TypeBinding.bind(method.getGenericReturnType(), type.scopeOf(method.getDeclaringType()));
        Code code = code(type, method.getName() + "()", method.getGenericReturnType(), bound);
        return new Accessor(name, written, code, bound, skipped, absent.orElse(null));
    }

    private static boolean isSkipped(PropertyElement property, MethodElement method, ConstructorParameters parameters) {
        return property.hasStereotype(NotFingerprinted.class)
                || method.hasStereotype(NotFingerprinted.class)
                || parameters
                        .of(method.getDeclaringType(), property.getName())
                        .filter(parameter -> parameter.hasStereotype(NotFingerprinted.class))
                        .isPresent();
    }

    private static Accessor read(BoundType type, FieldElement field) {
        BoundType bound = TypeBinding.bind(field.getGenericType(), type.scopeOf(field.getDeclaringType()));
        String written = field.stringValue(FingerprintName.class).orElse(field.getName());
        boolean skipped = field.hasStereotype(NotFingerprinted.class);
        String absent = field.stringValue(FingerprintDefault.class).orElse(null);
        Code code = code(type, field.getName(), field.getGenericType(), bound);
        return new Accessor(field.getName(), written, code, bound, skipped, absent);
    }

    /** The receiver has no type arguments in generated code, so what depends on them is cast. */
    private static Code code(BoundType receiver, String read, ClassElement declared, BoundType bound) {
        Code code = Code.of("$1L.$2L", read);
        return receiver.arguments().isEmpty() && !isVariable(declared) ? code : code.as(bound);
    }

    private static boolean isVariable(ClassElement type) {
        return type.isArray() ? isVariable(type.fromArray()) : type instanceof GenericPlaceholderElement;
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

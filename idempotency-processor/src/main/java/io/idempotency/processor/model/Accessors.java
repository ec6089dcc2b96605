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
import io.micronaut.inject.ast.ParameterElement;
import io.micronaut.inject.ast.PropertyElement;
import java.lang.annotation.Annotation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.lang.model.util.ElementFilter;
import org.jspecify.annotations.Nullable;

/** Finds the properties of a type that generated code in a given package can read. */
public final class Accessors {

    /** Getters that any collection has, which only repeat its elements. */
    private static final Set<String> OF_CONTAINERS = Set.of("empty", "first", "last");

    /** Types of fields of which a question, such as isActive(), may tell all. */
    private static final Set<String> TRUTHS = Set.of(
            "boolean", "java.lang.Boolean", "java.lang.String", "char", "java.util.concurrent.atomic.AtomicBoolean");

    /** Methods of every object, which do not read its state. */
    private static final Set<String> OF_OBJECTS = Set.of("hashCode", "toString", "getClass", "clone");

    /** The parameters of constructors by class and name, looked up once for all properties. */
    private final Map<String, Map<String, ParameterElement>> parameters = new HashMap<>();

    private Accessors() {}

    /**
     * How a value is read from the object that holds it.
     *
     * @param written the name of the value in the fingerprint
     * @param absent the {@code @FingerprintDefault} value as text; null without one
     */
    public record Accessor(
            String name,
            String written,
            Code code,
            BoundType type,
            boolean notFingerprinted,
            @Nullable String absent) {

        /** Reads the annotations of several elements; the first element with an annotation decides. */
        static Accessor of(String name, Code code, BoundType type, List<? extends Element> carriers) {
            return new Accessor(
                    name,
                    text(carriers, FingerprintName.class).orElse(name),
                    code,
                    type,
                    isSkipped(carriers),
                    text(carriers, FingerprintDefault.class).orElse(null));
        }
    }

    /**
     * The state of a type's values.
     *
     * @param readable the properties that generated code can read, sorted by name
     * @param hidden the instance fields that no property shows, sorted by name
     * @param properties the properties in Micronaut's model
     */
    public record State(List<Accessor> readable, List<String> hidden, List<PropertyElement> properties) {

        public static State of(BoundType type, String fromPackage) {
            List<PropertyElement> properties = type.element().getBeanProperties();
            List<FieldElement> fields = instanceFields(type.element());
            Map<String, Accessor> readable = new Accessors().readable(type, properties, fields, fromPackage);
            List<String> hidden = fields.stream()
                    .filter(field -> !isRead(field.getName(), readable.keySet()) && !isSkipped(List.of(field)))
                    .map(FieldElement::getName)
                    .sorted()
                    .toList();
            return new State(List.copyOf(readable.values()), hidden, properties);
        }
    }

    private Map<String, Accessor> readable(
            BoundType type, List<PropertyElement> properties, List<FieldElement> fields, String fromPackage) {
        Map<String, Accessor> found = new TreeMap<>();
        Set<String> questions = new HashSet<>();
        for (PropertyElement property : properties) {
            String name = property.getName();
            property.getReadMethod()
                    .filter(method -> method.getParameters().length == 0 && isVisible(method, fromPackage))
                    .ifPresent(method -> {
                        found.put(name, read(type, name, method, carriers(property, method)));
                        if (method.getName().equals("is" + capitalized(name))
                                && !found.get(name).notFingerprinted()) {
                            questions.add(name);
                        }
                    });
        }
        // isPaid(), in which Micronaut's property paid may end, tells little of getPaid()
        questions.removeIf(name -> {
            Optional<MethodElement> getter = plain(type, "get" + capitalized(name), fromPackage);
            getter.ifPresent(method -> found.put(name, read(type, name, method, List.of(method))));
            return getter.isPresent();
        });
        for (FieldElement field : fields) {
            String name = field.getName();
            if (questions.contains(name) && !TRUTHS.contains(field.getType().getName())) {
                found.remove(name);
            }
            if (field.isPublic()) {
                found.computeIfAbsent(name, missing -> read(type, name, field, List.of(field)));
            } else if (!found.containsKey(name)) {
                plain(type, name, fromPackage)
                        .filter(method -> method.getReturnType()
                                .getName()
                                .equals(field.getType().getName()))
                        .ifPresent(method -> found.put(name, read(type, name, method, List.of(field, method))));
            }
        }
        return found;
    }

    private static String capitalized(String name) {
        return Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }

    /** Finds an accessor with the property's own name, such as {@code record.topic()}. */
    private static Optional<MethodElement> plain(BoundType type, String name, String fromPackage) {
        return OF_OBJECTS.contains(name)
                ? Optional.empty()
                : type
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

    /** Returns a container's properties and fields besides its elements, sorted by name; none of the platform's. */
    public static List<String> besidesElements(BoundType type) {
        return isPlatform(type.element()) ? List.of() : new Accessors().besides(type.element());
    }

    private List<String> besides(ClassElement type) {
        Set<String> own = new TreeSet<>();
        Set<String> skipped = new HashSet<>(OF_CONTAINERS);
        for (PropertyElement property : type.getBeanProperties()) {
            property.getReadMethod()
                    .filter(method -> !isPlatform(method.getDeclaringType()))
                    .ifPresent(
                            method -> (isSkipped(carriers(property, method)) ? skipped : own).add(property.getName()));
        }
        Stream.concat(instanceFields(type).stream(), shown(type).stream())
                .filter(member -> !isPlatform(member.getDeclaringType()))
                .forEach(member -> (isSkipped(List.of(member)) ? skipped : own).add(member.getName()));
        own.removeAll(skipped);
        return List.copyOf(own);
    }

    /** Returns an abstract container's methods that are named like properties, such as {@code page.cursor()}. */
    private static List<MethodElement> shown(ClassElement type) {
        return type.getEnclosedElements(ElementQuery.ALL_METHODS
                .onlyAbstract()
                .filter(method -> method.getParameters().length == 0
                        && !method.getReturnType().isVoid()
                        && method.getOverriddenMethods().stream()
                                .noneMatch(overridden -> isPlatform(overridden.getDeclaringType()))
                        && !method.getName().matches("(get|is)\\p{Lu}.*")));
    }

    private static boolean isPlatform(ClassElement type) {
        return Stream.of("java.", "kotlin.", "io.micronaut.").anyMatch(type.getName()::startsWith);
    }

    /** Returns the property, or else the method, that a key's path names. */
    public static Optional<Accessor> named(List<Accessor> properties, BoundType type, String name, String fromPackage) {
        return properties.stream()
                .filter(accessor -> accessor.name().equals(name))
                .findFirst()
                .or(() -> plain(type, name, fromPackage).map(method -> read(type, name, method, List.of())));
    }

    /** Tells whether code in a package can name a class. */
    public static boolean isVisible(ClassElement type, String fromPackage) {
        boolean visible =
                type.isPublic() || (!type.isPrivate() && type.getPackageName().equals(fromPackage));
        return visible
                && type.getEnclosingType()
                        .map(outer -> isVisible(outer, fromPackage))
                        .orElse(true);
    }

    /** Tells whether code in a package can use a member of a class that it can name. */
    public static boolean isVisible(MemberElement member, String fromPackage) {
        return member.isPublic()
                || (!member.isPrivate()
                        && member.getDeclaringType().getPackageName().equals(fromPackage));
    }

    /** Returns the elements that may carry annotations; Kotlin's default is the constructor's parameter. */
    private List<Element> carriers(PropertyElement property, MethodElement method) {
        Element parameter = parameters
                .computeIfAbsent(method.getDeclaringType().getName(), name -> parametersOf(method.getDeclaringType()))
                .get(property.getName());
        return parameter == null ? List.of(property, method) : List.of(property, method, parameter);
    }

    private static Map<String, ParameterElement> parametersOf(ClassElement declaring) {
        Map<String, ParameterElement> parameters = new HashMap<>();
        // Micronaut's search for the constructor costs more than all the rest, so the compiler is asked first
        boolean mayBeAnnotated = CompilerModel.type(declaring)
                .map(source -> ElementFilter.constructorsIn(source.getEnclosedElements()).stream()
                        .flatMap(constructor -> constructor.getParameters().stream())
                        .anyMatch(parameter -> !parameter.getAnnotationMirrors().isEmpty()))
                .orElse(true);
        if (mayBeAnnotated) {
            declaring.getPrimaryConstructor().stream()
                    .flatMap(constructor -> Stream.of(constructor.getParameters()))
                    .forEach(parameter -> parameters.put(parameter.getName(), parameter));
        }
        return parameters;
    }

    private static Optional<String> text(List<? extends Element> carriers, Class<? extends Annotation> annotation) {
        return carriers.stream()
                .flatMap(carrier -> carrier.stringValue(annotation).stream())
                .findFirst();
    }

    private static boolean isSkipped(List<? extends Element> carriers) {
        return carriers.stream().anyMatch(carrier -> carrier.hasStereotype(NotFingerprinted.class));
    }

    private static Accessor read(BoundType type, String name, MemberElement member, List<Element> carriers) {
        ClassElement declared = member instanceof MethodElement method
                ? method.getGenericReturnType()
                : ((FieldElement) member).getGenericType();
        BoundType bound = BoundType.of(declared, type.scopeOf(member.getDeclaringType()));
        Code code = Code.of("$1L.$2L", member.getName() + (member instanceof MethodElement ? "()" : ""));
        // the receiver has no type arguments in generated code, so what depends on them is cast
        boolean isCast = !type.arguments().isEmpty() || isVariable(declared);
        return Accessor.of(name, isCast ? code.as(bound) : code, bound, carriers);
    }

    private static boolean isVariable(ClassElement type) {
        return type.isArray() ? isVariable(type.fromArray()) : type instanceof GenericPlaceholderElement;
    }

    /** Returns the fields without transient ones, unless there are no others: such a class writes itself. */
    private static List<FieldElement> instanceFields(ClassElement type) {
        List<FieldElement> all = type.getEnclosedElements(ElementQuery.ALL_FIELDS.onlyInstance());
        List<FieldElement> kept = all.stream()
                .filter(field -> !field.getModifiers().contains(ElementModifier.TRANSIENT))
                .toList();
        return kept.isEmpty() ? all : kept;
    }

    /** Tells whether a property shows a field: fields isUrgent and _urgent often belong to the property urgent. */
    private static boolean isRead(String field, Set<String> properties) {
        return properties.stream()
                .anyMatch(property -> field.equals(property)
                        || field.equals("_" + property)
                        || field.equals("is" + capitalized(property)));
    }
}

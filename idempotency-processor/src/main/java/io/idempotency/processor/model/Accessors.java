package io.idempotency.processor.model;

import io.idempotency.NotFingerprinted;
import io.idempotency.fingerprint.FingerprintDefault;
import io.idempotency.fingerprint.FingerprintName;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.ElementModifier;
import io.micronaut.inject.ast.ElementQuery;
import io.micronaut.inject.ast.FieldElement;
import io.micronaut.inject.ast.GenericPlaceholderElement;
import io.micronaut.inject.ast.MemberElement;
import io.micronaut.inject.ast.MethodElement;
import io.micronaut.inject.ast.ParameterElement;
import io.micronaut.inject.ast.PropertyElement;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.util.ElementFilter;
import org.jspecify.annotations.Nullable;

/** Finds the properties of a type that generated code in a given package can read. */
public final class Accessors {

    /** Getters that any collection has, which only repeat its elements. */
    private static final Set<String> OF_CONTAINERS = Set.of("empty", "first", "last");

    /** Types of fields of which a question, such as isActive(), tells all. */
    private static final Set<String> TRUTHS =
            Set.of("boolean", "java.lang.Boolean", "java.util.concurrent.atomic.AtomicBoolean");

    /** The end of the name of a field in which Kotlin keeps how a property is read. */
    private static final String DELEGATE = "$delegate";

    /** Methods of every object, which do not read its state. */
    private static final Set<String> OF_OBJECTS = Set.of("hashCode", "toString", "getClass", "clone");

    private final BoundType type;
    private final String fromPackage;
    private final List<FieldElement> fields;

    /** The names of the fields, without those that have a question beside another property's getter. */
    private final Set<String> names;

    /** The parameters of constructors by class, looked up once for all properties. */
    private final Map<String, List<ParameterElement>> parameters = new HashMap<>();

    private Accessors(BoundType type, String fromPackage) {
        this.type = type;
        this.fromPackage = fromPackage;
        this.fields = instanceFields(type.element());
        this.names = fields.stream()
                .map(field -> field.getName().replace(DELEGATE, ""))
                .filter(name -> !name.startsWith("is")
                        || plain(name).isEmpty()
                        || plain("get" + name.substring(2)).isEmpty())
                .collect(Collectors.toSet());
    }

    /**
     * How a value is read from the object that holds it.
     *
     * @param written the name of the value in the fingerprint
     * @param absent the {@code @FingerprintDefault} value as text; null without one
     * @param header whether a header of an HTTP request is bound to the value
     */
    public record Accessor(
            String name,
            String written,
            Code code,
            BoundType type,
            boolean notFingerprinted,
            @Nullable String absent,
            boolean header) {

        /** Reads the annotations of several elements; the first element with an annotation decides. */
        static Accessor of(String name, Code code, BoundType type, List<? extends AnnotationMetadata> carriers) {
            return new Accessor(
                    name,
                    text(carriers, FingerprintName.class).orElse(name),
                    code,
                    type,
                    isSkipped(carriers),
                    text(carriers, FingerprintDefault.class).orElse(null),
                    OperationMethod.isHeader(carriers));
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
            Accessors accessors = new Accessors(type, fromPackage);
            Map<String, Accessor> readable = accessors.readable(properties);
            List<String> hidden = accessors.fields.stream()
                    .filter(field -> !accessors.isRead(field, readable.keySet()) && !isSkipped(List.of(field)))
                    .map(FieldElement::getName)
                    .sorted()
                    .toList();
            return new State(List.copyOf(readable.values()), hidden, properties);
        }
    }

    private Map<String, Accessor> readable(List<PropertyElement> properties) {
        Map<String, Accessor> found = new TreeMap<>();
        Set<String> questions = new HashSet<>();
        for (PropertyElement property : properties) {
            String name = property.getName();
            property.getReadMethod().filter(this::isReadable).ifPresent(method -> {
                found.put(name, read(name, method, carriers(name, method, property)));
                if (method.getName().equals("is" + capitalized(name))
                        && !found.get(name).notFingerprinted()) {
                    questions.add(name);
                }
            });
        }
        // isPaid(), in which Micronaut's property paid may end, tells little of getPaid()
        questions.removeIf(name -> {
            Optional<MethodElement> getter = plain("get" + capitalized(name));
            getter.ifPresent(method -> found.put(name, read(name, method, carriers(name, method))));
            return getter.isPresent();
        });
        for (FieldElement field : fields) {
            String name = field.getName();
            if (!TRUTHS.contains(nameOf(field.getType())) && !name.endsWith(DELEGATE)) {
                questions.stream().filter(each -> shows(each, name)).forEach(found::remove);
            }
            if (field.isPublic()) {
                found.computeIfAbsent(name, missing -> read(name, field, List.of(field)));
            } else if (!found.containsKey(name)) {
                // @Introspected by fields hides getters from Micronaut's model
                Stream.of(name, "get" + capitalized(name), "is" + capitalized(name))
                        .flatMap(each -> plain(each).stream())
                        .filter(method -> nameOf(method.getReturnType()).equals(nameOf(field.getType())))
                        .findFirst()
                        .map(method -> read(name, method, carriers(name, method, field)))
                        // a property that shows the field has its former name, which is written once
                        .filter(own -> own.written().equals(name) || !isRead(field, found.keySet()))
                        .ifPresent(own -> found.put(name, own));
            }
        }
        return found;
    }

    private static String nameOf(ClassElement type) {
        return type.getName() + "[]".repeat(type.getArrayDimensions());
    }

    private static String capitalized(String name) {
        return Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }

    /** Finds a method that reads a value, such as {@code record.topic()}. */
    private Optional<MethodElement> plain(String name) {
        ElementQuery<MethodElement> readers =
                ElementQuery.ALL_METHODS.onlyInstance().named(name).filter(this::isReadable);
        return OF_OBJECTS.contains(name) ? Optional.empty() : type.element().getEnclosedElement(readers);
    }

    private boolean isReadable(MethodElement method) {
        return method.getParameters().length == 0
                && BoundType.isVisible(method, fromPackage)
                && !method.getReturnType().isVoid()
                && !method.isSuspend()
                && Stream.of(method.getThrownTypes())
                        .allMatch(it -> it.isAssignable(RuntimeException.class) || it.isAssignable(Error.class));
    }

    /** Returns a container's properties and fields besides its elements, sorted; none of arrays and well-known ones. */
    public static List<String> besidesElements(BoundType type) {
        return type.component() != null || isPlatform(type.element()) ? List.of() : new Accessors(type, "").besides();
    }

    private List<String> besides() {
        Set<String> own = new TreeSet<>();
        Set<String> skipped = new HashSet<>();
        for (PropertyElement property : type.element().getBeanProperties()) {
            String name = property.getName();
            property.getReadMethod()
                    .filter(method -> !OF_CONTAINERS.contains(name) && !isPlatform(method.getDeclaringType()))
                    .ifPresent(method -> (isSkipped(carriers(name, method, property)) ? skipped : own).add(name));
        }
        Stream.concat(fields.stream(), shown(type.element()).stream())
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
                        && !OF_CONTAINERS.contains(method.getName())
                        && method.getOverriddenMethods().stream()
                                .noneMatch(overridden -> isPlatform(overridden.getDeclaringType()))
                        && !method.getName().matches("(get|is)\\p{Lu}.*")));
    }

    private static boolean isPlatform(ClassElement type) {
        return Stream.of("java.", "kotlin.", "kotlinx.collections.", "io.micronaut.", "com.google.common.collect.")
                .anyMatch(type.getName()::startsWith);
    }

    /** Returns the property, or else the method, that a key's path names. */
    public static Optional<Accessor> named(List<Accessor> properties, BoundType type, String name, String fromPackage) {
        return properties.stream()
                .filter(accessor -> accessor.name().equals(name))
                .findFirst()
                .or(() -> {
                    Accessors accessors = new Accessors(type, fromPackage);
                    return accessors.plain(name).map(method -> accessors.read(name, method, List.of()));
                });
    }

    /**
     * Returns what may carry a property's annotations: what is given, the getter, the constructor's parameter (Kotlin's
     * default), the field, which Micronaut's property may not know, and the methods that the getter overrides.
     */
    private List<AnnotationMetadata> carriers(String name, MethodElement method, AnnotationMetadata... given) {
        List<AnnotationMetadata> carriers = new ArrayList<>(List.of(given));
        ClassElement declaring = method.getDeclaringType();
        carriers.add(method);
        parameters.computeIfAbsent(declaring.getName(), missing -> parametersOf(declaring)).stream()
                .filter(parameter -> shows(name, parameter.getName()))
                .forEach(carriers::add);
        fields.stream()
                .filter(field -> shows(name, field.getName()) && declaring.isAssignable(field.getDeclaringType()))
                .reduce((one, other) -> one.getDeclaringType().isAssignable(other.getDeclaringType()) ? one : other)
                .ifPresent(carriers::add);
        // without the annotations of their classes
        method.getOverriddenMethods().forEach(each -> carriers.add(each.getMethodAnnotationMetadata()));
        return carriers;
    }

    private static List<ParameterElement> parametersOf(ClassElement declaring) {
        // Micronaut's search for the constructor costs more than all the rest, so the compiler is asked first
        boolean mayBeAnnotated = CompilerModel.type(declaring)
                .map(source -> ElementFilter.constructorsIn(source.getEnclosedElements()).stream()
                        .flatMap(constructor -> constructor.getParameters().stream())
                        .anyMatch(parameter -> !parameter.getAnnotationMirrors().isEmpty()))
                .orElse(true);
        return mayBeAnnotated
                ? declaring.getPrimaryConstructor().stream()
                        .flatMap(constructor -> Stream.of(constructor.getParameters()))
                        .toList()
                : List.of();
    }

    private static Optional<String> text(
            List<? extends AnnotationMetadata> carriers, Class<? extends Annotation> annotation) {
        return carriers.stream()
                .flatMap(carrier -> carrier.stringValue(annotation).stream())
                .findFirst();
    }

    private static boolean isSkipped(List<? extends AnnotationMetadata> carriers) {
        return carriers.stream()
                .anyMatch(it -> it.hasStereotype(NotFingerprinted.class)
                        || it.hasAnnotation("io.micronaut.rabbitmq.annotation.RabbitHeaders")); // count deliveries
    }

    private Accessor read(String name, MemberElement member, List<? extends AnnotationMetadata> carriers) {
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

    private boolean isRead(FieldElement field, Set<String> properties) {
        return properties.stream().anyMatch(property -> shows(property, field.getName()));
    }

    /** Tells whether a property shows a field: the one of its name, or else one such as isUrgent or _urgent. */
    private boolean shows(String property, String field) {
        return field.equals(property)
                || Stream.of(property, "is" + capitalized(property), "_" + property)
                        .filter(names::contains)
                        .findFirst()
                        .filter(field.replace(DELEGATE, "")::equals)
                        .isPresent();
    }
}

package io.idempotency.processor.model;

import com.palantir.javapoet.ArrayTypeName;
import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.TypeName;
import io.micronaut.inject.ast.ClassElement;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A type in which no type variable and no wildcard is left: each stands for its argument, else for its bound.
 *
 * @param element the class, of the innermost component for an array
 * @param arguments the type arguments by the names of the class's type variables, in their order
 * @param component what an array holds, null for everything else
 */
public record BoundType(
        ClassElement element,
        Map<String, BoundType> arguments,
        @Nullable BoundType component) {

    /** A type that is still unfolding so deep down never ends: {@code record Grow<T>(Grow<List<T>> next)}. */
    public static final int MAX_DEPTH = 50;

    private static final Map<String, TypeName> PRIMITIVES = Stream.of(
                    TypeName.BOOLEAN,
                    TypeName.BYTE,
                    TypeName.SHORT,
                    TypeName.INT,
                    TypeName.LONG,
                    TypeName.CHAR,
                    TypeName.FLOAT,
                    TypeName.DOUBLE,
                    TypeName.VOID)
            .collect(Collectors.toUnmodifiableMap(TypeName::toString, type -> type));

    /** Whether this is a primitive, not an array of them. */
    public boolean isPrimitive() {
        return component == null && element.isPrimitive();
    }

    /** The binary name of the class; for an array, its source form. */
    public String name() {
        return component == null ? element.getName() : erasure();
    }

    /** Whether this is exactly the named class. */
    public boolean is(String className) {
        return component == null && element.getName().equals(className);
    }

    /** Whether a value of this type is one of the named class, which need not be on the class path. */
    public boolean isAssignable(String className) {
        // the compiler looks nested classes up by another name
        boolean nested = className.indexOf('$') >= 0;
        return is(className)
                || (component == null && (nested ? as(className).isPresent() : element.isAssignable(className)));
    }

    /** As {@link #isAssignable}, for any of several. */
    public boolean isAssignableToAny(Collection<String> classNames) {
        if (classNames.isEmpty() || component != null || element.isPrimitive()) {
            return component == null && classNames.contains(element.getName());
        }
        // one walk: the compiler's look-up of each name, most of which are not on the class path, takes far longer
        Set<String> seen = new HashSet<>();
        Deque<ClassElement> open = new ArrayDeque<>(List.of(element));
        while (!open.isEmpty()) {
            ClassElement next = open.remove();
            if (seen.add(next.getName().replace('$', '.'))) {
                next.getSuperType().ifPresent(open::add);
                open.addAll(next.getInterfaces());
            }
        }
        // nested classes are listed with a dollar or with a dot
        return classNames.stream().anyMatch(name -> seen.contains(name.replace('$', '.')));
    }

    /** The class as source code names it, without type arguments. */
    public String erasure() {
        if (component != null) {
            return component.erasure() + "[]";
        }
        // ClassElement.getCanonicalName() of an Optional may be that of its value
        return element.getName().startsWith("java.util.Optional") ? element.getName() : element.getCanonicalName();
    }

    /** As source code declares a variable that takes any value of this type. */
    public String sourceName() {
        if (component != null) {
            return component.sourceName() + "[]";
        }
        return erasure() + sourceArguments();
    }

    /** As {@link #sourceName}, boxed where this is a primitive: what an element of {@code Object[]} is cast to. */
    public String boxedSourceName() {
        return isPrimitive() ? typeName().box().toString() : sourceName();
    }

    private String sourceArguments() {
        // "? extends" takes the invariant, the covariant and the wildcard form of the same declaration
        return arguments.isEmpty()
                ? ""
                : arguments.values().stream()
                        .map(argument -> argument.is("java.lang.Object") ? "?" : "? extends " + argument.sourceName())
                        .collect(Collectors.joining(", ", "<", ">"));
    }

    /** The type in generated source code, without type arguments: which of them a receiver has there is not worth knowing. */
    public TypeName typeName() {
        if (component != null) {
            return ArrayTypeName.of(component.typeName());
        }
        return element.isPrimitive()
                ? PRIMITIVES.getOrDefault(element.getName(), ClassName.OBJECT)
                : className(element);
    }

    /** The name of a class in generated source code. */
    public static ClassName className(ClassElement type) {
        String packageName = type.getPackageName();
        String[] names = new BoundType(type, Map.of(), null)
                .erasure()
                .substring(packageName.isEmpty() ? 0 : packageName.length() + 1)
                .split("[.]");
        return ClassName.get(packageName, names[0], Arrays.copyOfRange(names, 1, names.length));
    }

    /** As a name within a Java identifier, for instance {@code ListOfLine}. */
    public String identifier() {
        if (component != null) {
            return "ArrayOf" + component.identifier();
        }
        String erasure = erasure();
        String simple = erasure.substring(erasure.lastIndexOf('.') + 1);
        return Character.toUpperCase(simple.charAt(0))
                + simple.substring(1)
                + (arguments.isEmpty()
                        ? ""
                        : arguments.values().stream()
                                .map(BoundType::identifier)
                                .collect(Collectors.joining("And", "Of", "")));
    }

    /** This type seen as one of its super types. */
    public Optional<BoundType> as(String superName) {
        Deque<BoundType> open = new ArrayDeque<>(List.of(this));
        Set<String> seen = new HashSet<>();
        while (!open.isEmpty()) {
            BoundType next = open.remove();
            if (next.is(superName)) {
                return Optional.of(next);
            }
            if (seen.add(next.name())) {
                next.superTypes().forEach(open::add);
            }
        }
        return Optional.empty();
    }

    private Stream<BoundType> superTypes() {
        if (component != null || element.isPrimitive()) {
            return Stream.empty();
        }
        // of the declaration: where its variable stands for an array, Micronaut's E looks like an E[]
        ClassElement declared = element.getRawClassElement();
        return Stream.concat(declared.getSuperType().stream(), declared.getInterfaces().stream())
                .map(superType -> TypeBinding.bind(superType, arguments));
    }

    /** The n-th type argument, where there is one. */
    public Optional<BoundType> argument(int index) {
        return arguments.values().stream().skip(index).findFirst();
    }

    /** The type arguments in which members declared by a class or by one of its super types are to be bound. */
    public Map<String, BoundType> scopeOf(ClassElement declaring) {
        return as(declaring.getName()).map(BoundType::arguments).orElse(arguments);
    }

    /** These arguments and further ones, which hide those of the same name. */
    public static Map<String, BoundType> merged(Map<String, BoundType> outer, Map<String, BoundType> inner) {
        Map<String, BoundType> merged = new LinkedHashMap<>(outer);
        merged.putAll(inner);
        return merged;
    }
}

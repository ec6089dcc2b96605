package io.idempotency.processor.model;

import com.palantir.javapoet.ArrayTypeName;
import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.TypeName;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.GenericPlaceholderElement;
import io.micronaut.inject.ast.WildcardElement;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
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

    /** Bounds that name each other in a circle are cut here. */
    private static final int MAX_BOUNDS = 8;

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

    /**
     * Binds what a member declares. Micronaut's model leaves the type variables of a parameter's own properties unbound and
     * replaces those of recursive types by {@code Object}, so they are bound here, by name.
     *
     * @param scope what the type variables of the declaring class stand for
     */
    public static BoundType of(ClassElement type, Map<String, BoundType> scope) {
        return bind(type, scope, 0);
    }

    private static BoundType bind(ClassElement type, Map<String, BoundType> scope, int bounds) {
        if (type.isArray()) {
            BoundType component = bind(type.fromArray(), scope, bounds);
            return new BoundType(component.element(), Map.of(), component);
        }
        if (type instanceof GenericPlaceholderElement variable) {
            return bindVariable(variable, scope, bounds);
        }
        if (type instanceof WildcardElement wildcard) {
            // what is read from a "? super X" is any object, unless a caller knows that the platform only ever writes X
            return wildcard.getUpperBounds().isEmpty()
                    ? new BoundType(wildcard, Map.of(), null)
                    : bind(wildcard.getUpperBounds().get(0), scope, bounds);
        }
        return new BoundType(type, bindArguments(type, scope, bounds), null);
    }

    private static BoundType bindVariable(
            GenericPlaceholderElement variable, Map<String, BoundType> scope, int bounds) {
        BoundType known = scope.get(variable.getVariableName());
        if (known != null) {
            return known;
        }
        ClassElement resolved = variable.getResolved().orElse(null);
        if (resolved != null && !(resolved instanceof GenericPlaceholderElement)) {
            return bind(resolved, scope, bounds);
        }
        ClassElement bound = variable.getBounds().get(0);
        BoundType erased = new BoundType(bound, Map.of(), null);
        if (bounds > MAX_BOUNDS) {
            return erased;
        }
        Map<String, BoundType> inner = new HashMap<>(scope);
        inner.put(variable.getVariableName(), erased); // a bound may name it: <T extends Comparable<T>>
        return bind(bound, inner, bounds + 1);
    }

    private static Map<String, BoundType> bindArguments(ClassElement type, Map<String, BoundType> scope, int bounds) {
        List<? extends GenericPlaceholderElement> variables = type.getDeclaredGenericPlaceholders();
        List<? extends ClassElement> arguments = type.getBoundGenericTypes();
        Map<String, BoundType> bound = new LinkedHashMap<>();
        for (int i = 0; i < variables.size(); i++) {
            GenericPlaceholderElement variable = variables.get(i);
            boolean given = arguments.size() == variables.size() && !isUnbounded(arguments.get(i));
            bound.put(
                    variable.getVariableName(),
                    given ? bind(arguments.get(i), scope, bounds) : bindVariable(variable, Map.of(), bounds + 1));
        }
        return bound;
    }

    private static boolean isUnbounded(ClassElement argument) {
        return argument instanceof WildcardElement wildcard
                && wildcard.getLowerBounds().isEmpty()
                && wildcard.getUpperBounds().stream()
                        .allMatch(bound -> bound.getName().equals("java.lang.Object"));
    }

    public boolean isPrimitive() {
        return component == null && element.isPrimitive();
    }

    /** The binary name of the class; for an array, its source form. */
    public String name() {
        return component == null ? element.getName() : erasure();
    }

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
        // "? extends" takes the invariant, the covariant and the wildcard form of the same declaration
        return erasure()
                + arguments(it -> it.is("java.lang.Object") ? "?" : "? extends " + it.sourceName(), "<", ", ", ">");
    }

    /** As {@link #sourceName}, boxed where this is a primitive: what an element of {@code Object[]} is cast to. */
    public String boxedSourceName() {
        return isPrimitive() ? typeName().box().toString() : sourceName();
    }

    private String arguments(Function<BoundType, String> each, String before, String between, String after) {
        return arguments.isEmpty()
                ? ""
                : arguments.values().stream().map(each).collect(Collectors.joining(between, before, after));
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
                + arguments(BoundType::identifier, "Of", "And", "");
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
                .map(superType -> of(superType, arguments));
    }

    public Optional<BoundType> argument(int index) {
        return arguments.values().stream().skip(index).findFirst();
    }

    /** The type arguments in which members declared by a class or by one of its super types are to be bound. */
    public Map<String, BoundType> scopeOf(ClassElement declaring) {
        return as(declaring.getName()).map(BoundType::arguments).orElse(arguments);
    }

    /** A class as its author calls it, {@code Outer.Inner}. */
    public static String simpleName(ClassElement type) {
        return type.getSimpleName().replace('$', '.');
    }
}

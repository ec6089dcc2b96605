package io.idempotency.processor.model;

import com.palantir.javapoet.ArrayTypeName;
import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.TypeName;
import io.micronaut.core.reflect.ClassUtils;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.GenericPlaceholderElement;
import io.micronaut.inject.ast.MemberElement;
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
 * A type without type variables and wildcards: each is replaced by its argument, or else by its bound.
 *
 * @param element the class; for an array, the innermost component's
 * @param arguments the type arguments by the names of the class's type variables, in their order
 * @param component an array's component type; null for other types
 */
public record BoundType(
        ClassElement element,
        Map<String, BoundType> arguments,
        @Nullable BoundType component) {

    /** The depth beyond which a type counts as endless: {@code record Grow<T>(Grow<List<T>> next)}. */
    public static final int MAX_DEPTH = 50;

    /** The depth at which bounds that refer to each other are cut. */
    private static final int MAX_BOUNDS = 8;

    /**
     * Binds a member's type in a scope: the types of the declaring class's type variables. Micronaut's model leaves
     * those of a parameter's properties unbound and replaces those of recursive types by {@code Object}.
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
            // "? super X" may be any object
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

    /** Tells whether no value is exactly of this type. */
    public boolean isAbstract() {
        return element.isInterface() || element.isAbstract();
    }

    /** Returns the binary name of the class; for an array, its source form. */
    public String name() {
        return component == null ? element.getName() : erasure();
    }

    public boolean is(String className) {
        return component == null && element.getName().equals(className);
    }

    /** Tells whether this is a subtype of the named class, which need not be on the class path. */
    public boolean isAssignable(String className) {
        return isAssignableToAny(List.of(className));
    }

    /** Tells whether this is a subtype of any of several classes. */
    public boolean isAssignableToAny(Collection<String> classNames) {
        if (classNames.isEmpty() || component != null || element.isPrimitive()) {
            return component == null && classNames.contains(element.getName());
        }
        // one walk is faster than the compiler's look-up of each name, most of which are not on the class path
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

    /** Returns the class as source code names it, without type arguments. */
    public String erasure() {
        if (component != null) {
            return component.erasure() + "[]";
        }
        // ClassElement.getCanonicalName() of an Optional may be that of its value
        return element.getName().startsWith("java.util.Optional") ? element.getName() : element.getCanonicalName();
    }

    /** Returns the source form of a variable's type that takes any value of this type. */
    public String sourceName() {
        if (component != null) {
            return component.sourceName() + "[]";
        }
        // "? extends" takes the invariant, the covariant and the wildcard form of one declaration
        return erasure()
                + arguments(it -> it.is("java.lang.Object") ? "?" : "? extends " + it.sourceName(), "<", ", ", ">");
    }

    /** Returns {@link #sourceName}, boxed for a primitive type. */
    public String boxedSourceName() {
        return isPrimitive() ? typeName().box().toString() : sourceName();
    }

    private String arguments(Function<BoundType, String> each, String before, String between, String after) {
        return arguments.isEmpty()
                ? ""
                : arguments.values().stream().map(each).collect(Collectors.joining(between, before, after));
    }

    /** Returns the type in generated source code, without type arguments. */
    public TypeName typeName() {
        if (component != null) {
            return ArrayTypeName.of(component.typeName());
        }
        return element.isPrimitive()
                ? TypeName.get(ClassUtils.getPrimitiveType(element.getName()).orElse(Object.class))
                : className(element);
    }

    /** Returns the name of a class in generated source code. */
    public static ClassName className(ClassElement type) {
        String packageName = type.getPackageName();
        String[] names = new BoundType(type, Map.of(), null)
                .erasure()
                .substring(packageName.isEmpty() ? 0 : packageName.length() + 1)
                .split("[.]");
        return ClassName.get(packageName, names[0], Arrays.copyOfRange(names, 1, names.length));
    }

    /** Returns a part of a Java identifier, such as {@code ListOfLine}. */
    public String identifier() {
        if (component != null) {
            return "ArrayOf" + component.identifier();
        }
        String simple = lastName(erasure());
        return Character.toUpperCase(simple.charAt(0))
                + simple.substring(1)
                + arguments(BoundType::identifier, "Of", "And", "");
    }

    /** Returns this type as one of its super types; empty unless it is a subtype. */
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
        // the raw class: for a type variable that stands for an array, Micronaut takes E for E[]
        ClassElement declared = element.getRawClassElement();
        return Stream.concat(declared.getSuperType().stream(), declared.getInterfaces().stream())
                .map(superType -> of(superType, arguments));
    }

    public Optional<BoundType> argument(int index) {
        return arguments.values().stream().skip(index).findFirst();
    }

    /** Returns the type of a collection's elements; empty for what is described by its properties, as a record is. */
    public Optional<BoundType> elements() {
        return is("java.lang.Iterable") || (isAssignable("java.util.Collection") && !element.isRecord())
                ? as("java.lang.Iterable").flatMap(iterable -> iterable.argument(0))
                : Optional.empty();
    }

    /** Returns the scope of members that the class or one of its super types declares. */
    public Map<String, BoundType> scopeOf(ClassElement declaring) {
        return as(declaring.getName()).map(BoundType::arguments).orElse(arguments);
    }

    /** Returns a class's name as its author writes it, {@code Outer.Inner}. */
    public static String simpleName(ClassElement type) {
        return type.getSimpleName().replace('$', '.');
    }

    /** Returns the last part of a class's name, {@code Inner}. */
    public static String lastName(String className) {
        return className.substring(Math.max(className.lastIndexOf('.'), className.lastIndexOf('$')) + 1);
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
}

package io.idempotency.processor.model;

import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.GenericPlaceholderElement;
import io.micronaut.inject.ast.WildcardElement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Binds type variables. Micronaut's model leaves those of a parameter's own properties unbound and replaces those of
 * recursive types by {@code Object}, so they are bound here, by name and in the scope of the declaring class.
 */
public final class TypeBinding {

    private static final String OBJECT = "java.lang.Object";
    /** Bounds that name each other in a circle are cut here. */
    private static final int MAX_BOUNDS = 8;

    private TypeBinding() {}

    /**
     * Binds a type.
     *
     * @param type what a member declares
     * @param scope what the type variables of its declaring class stand for
     * @return the bound type
     */
    public static BoundType bind(ClassElement type, Map<String, BoundType> scope) {
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
            return bindWildcard(wildcard, scope, bounds);
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
        // a bound may name its own variable: <T extends Comparable<T>>
        BoundType erased = new BoundType(bound, Map.of(), null);
        return bounds > MAX_BOUNDS
                ? erased
                : bind(bound, BoundType.merged(scope, Map.of(variable.getVariableName(), erased)), bounds + 1);
    }

    private static BoundType bindWildcard(WildcardElement wildcard, Map<String, BoundType> scope, int bounds) {
        // what is read from a "? super X" is any object, unless a caller knows that the platform only ever writes X
        return wildcard.getUpperBounds().isEmpty()
                ? new BoundType(wildcard, Map.of(), null)
                : bind(wildcard.getUpperBounds().get(0), scope, bounds);
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
                        .allMatch(bound -> bound.getName().equals(OBJECT));
    }
}

package io.idempotency.processor.rule;

import io.idempotency.Reconciles;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.ElementQuery;
import io.micronaut.inject.ast.MethodElement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The classes of this compilation, as far as rules that compare several of them need to know. */
public final class SeenClasses {

    /**
     * A method that reconciles an operation.
     *
     * @param owner the bean
     * @param method the method
     */
    public record Reconciler(ClassElement owner, MethodElement method) {

        /** The operation's name. */
        String operation() {
            return method.stringValue(Reconciles.class).orElse("");
        }
    }

    private final Set<String> names = new HashSet<>();
    private final List<Reconciler> reconcilers = new ArrayList<>();

    /** Takes note of a class. */
    public void add(ClassElement type) {
        if (names.add(type.getName()) && !type.isAbstract()) {
            type.getEnclosedElements(ElementQuery.ALL_METHODS.annotated(it -> it.hasStereotype(Reconciles.class)))
                    .forEach(method -> reconcilers.add(new Reconciler(type, method)));
        }
    }

    /** Nested classes are visited only where they are annotated, but belong to one that is. */
    boolean contains(String className) {
        int nested = className.indexOf('$');
        return names.contains(className) || (nested > 0 && names.contains(className.substring(0, nested)));
    }

    List<Reconciler> reconcilers() {
        return List.copyOf(reconcilers);
    }
}

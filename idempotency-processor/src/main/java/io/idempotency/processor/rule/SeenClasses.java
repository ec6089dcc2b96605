package io.idempotency.processor.rule;

import io.idempotency.Reconciles;
import io.idempotency.Reloads;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.ElementQuery;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The classes of this compilation, as far as rules that compare several of them need to know. */
public final class SeenClasses {

    private final Set<String> names = new HashSet<>();
    private final Map<String, Set<String>> subclasses = new HashMap<>();
    private final List<AnsweringMethod> reconcilers = new ArrayList<>();
    private final List<AnsweringMethod> reloaders = new ArrayList<>();

    /** Takes note of a class. */
    public void add(ClassElement type) {
        if (!names.add(type.getName())) {
            return;
        }
        note(type);
        type.getEnclosedElements(ElementQuery.ALL_INNER_CLASSES).forEach(this::note);
        if (!type.isAbstract()) {
            reconcilers.addAll(methods(type, Reconciles.class));
            reloaders.addAll(methods(type, Reloads.class));
        }
    }

    private void note(ClassElement type) {
        ClassElement above = type.getSuperType().orElse(null);
        while (above != null && !above.getName().startsWith("java.")) {
            subclasses.computeIfAbsent(above.getName(), name -> new TreeSet<>()).add(type.getCanonicalName());
            above = above.getSuperType().orElse(null);
        }
    }

    /** The subclasses of a class, as far as they are compiled now. */
    List<String> subclasses(String className) {
        return List.copyOf(subclasses.getOrDefault(className, Set.of()));
    }

    private static List<AnsweringMethod> methods(ClassElement type, Class<? extends Annotation> annotation) {
        return type.getEnclosedElements(ElementQuery.ALL_METHODS.annotated(it -> it.hasStereotype(annotation))).stream()
                .map(method -> new AnsweringMethod(
                        annotation.getSimpleName(),
                        method.stringValue(annotation).orElse(""),
                        type,
                        method))
                .toList();
    }

    /** Nested classes are visited only where they are annotated, but belong to one that is. */
    boolean contains(String className) {
        int nested = className.indexOf('$');
        return names.contains(className) || (nested > 0 && names.contains(className.substring(0, nested)));
    }

    List<AnsweringMethod> reconcilers() {
        return List.copyOf(reconcilers);
    }

    List<AnsweringMethod> reloaders() {
        return List.copyOf(reloaders);
    }
}

package io.idempotency.processor.rule;

import io.idempotency.IdempotentOperation;
import io.idempotency.Reconciles;
import io.idempotency.Reloads;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.ElementQuery;
import io.micronaut.inject.ast.MethodElement;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The classes of this compilation, as far as rules that compare several of them need to know. */
public final class SeenClasses {

    private final Set<String> names = new HashSet<>();
    private final Map<String, Set<String>> subclasses = new HashMap<>();
    private final List<AnsweringMethod> reconcilers = new ArrayList<>();
    private final List<AnsweringMethod> reloaders = new ArrayList<>();
    private final List<MethodElement> contracts = new ArrayList<>();

    /**
     * Takes note of a class.
     *
     * @return whether it has methods that answer for operations
     */
    public boolean add(ClassElement type) {
        if (!names.add(type.getName())) {
            return false;
        }
        note(type);
        type.getEnclosedElements(ElementQuery.ALL_INNER_CLASSES).forEach(this::note);
        int before = reconcilers.size() + reloaders.size();
        if (!type.isAbstract()) {
            reconcilers.addAll(methods(type, Reconciles.class));
            reloaders.addAll(methods(type, Reloads.class));
        }
        return reconcilers.size() + reloaders.size() > before;
    }

    /**
     * Takes note of annotated methods that are operations only where a bean inherits them.
     *
     * @return whether there are any
     */
    public boolean addContract(ClassElement type) {
        return contracts.addAll(type.getEnclosedElements(ElementQuery.ALL_METHODS
                .onlyDeclared()
                .annotated(method -> method.hasDeclaredStereotype(IdempotentOperation.class))));
    }

    List<MethodElement> contracts() {
        return List.copyOf(contracts);
    }

    private void note(ClassElement type) {
        ClassElement above = type.getSuperType().orElse(null);
        while (above != null && !above.getName().startsWith("java.")) {
            subclasses.computeIfAbsent(above.getName(), name -> new TreeSet<>()).add(type.getCanonicalName());
            above = above.getSuperType().orElse(null);
        }
    }

    /** Whether any class that is compiled now extends another one. */
    boolean hasSubclasses() {
        return !subclasses.isEmpty();
    }

    /** The subclasses of a class, as far as they are compiled now. */
    List<String> subclasses(String className) {
        return List.copyOf(subclasses.getOrDefault(className, Set.of()));
    }

    private static List<AnsweringMethod> methods(ClassElement type, Class<? extends Annotation> annotation) {
        return type.getEnclosedElements(ElementQuery.ALL_METHODS.annotated(it -> it.hasStereotype(annotation))).stream()
                .map(method -> new AnsweringMethod(
                        annotation, method.stringValue(annotation).orElse(""), type, method))
                .toList();
    }

    /** Nested classes are visited only where they are annotated, but belong to one that is. */
    public boolean contains(String className) {
        int nested = className.indexOf('$');
        return names.contains(className) || (nested > 0 && names.contains(className.substring(0, nested)));
    }

    List<AnsweringMethod> reconcilers() {
        return ofBeans(reconcilers);
    }

    List<AnsweringMethod> reloaders() {
        return ofBeans(reloaders);
    }

    /** Those in what is no bean and has no subclasses that may be. */
    List<AnsweringMethod> answeringOutsideBeans() {
        return Stream.concat(reconcilers.stream(), reloaders.stream())
                .filter(method -> !BeanRule.isBean(method.owner())
                        && subclasses(method.owner().getName()).isEmpty())
                .toList();
    }

    private static List<AnsweringMethod> ofBeans(List<AnsweringMethod> methods) {
        return methods.stream()
                .filter(method -> BeanRule.isBean(method.owner()))
                .toList();
    }
}

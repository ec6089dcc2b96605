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

    private static final String INJECT = "jakarta.inject.Inject";
    private static final List<String> BEAN_STEREOTYPES = List.of(
            "jakarta.inject.Scope",
            "jakarta.inject.Qualifier",
            "io.micronaut.context.annotation.Bean",
            "io.micronaut.context.annotation.ConfigurationReader",
            "io.micronaut.context.annotation.DefaultScope",
            "io.micronaut.context.annotation.Executable",
            "io.micronaut.context.annotation.Factory",
            "io.micronaut.aop.Around",
            "io.micronaut.aop.Introduction");

    private final Set<String> names = new HashSet<>();
    private final Map<String, Set<String>> subclasses = new HashMap<>();
    private final List<AnsweringMethod> answering = new ArrayList<>();
    private final List<MethodElement> contracts = new ArrayList<>();

    /** A method that answers for an operation: the annotation that says so, the operation's name, the class it is in. */
    record AnsweringMethod(
            Class<? extends Annotation> annotation, String operation, ClassElement owner, MethodElement method) {}

    /** Takes note of a class, and says whether it has methods that answer for operations. */
    public boolean add(ClassElement type) {
        if (!names.add(type.getName())) {
            return false;
        }
        note(type);
        type.getEnclosedElements(ElementQuery.ALL_INNER_CLASSES).forEach(this::note);
        return !type.isAbstract()
                && Stream.of(Reconciles.class, Reloads.class)
                        .map(annotation -> answering.addAll(methods(type, annotation)))
                        .reduce(false, Boolean::logicalOr);
    }

    /** Takes note of annotated methods that are operations only where a bean inherits them, and says whether there are any. */
    public boolean addContract(ClassElement type) {
        return contracts.addAll(type.getEnclosedElements(ElementQuery.ALL_METHODS
                .onlyDeclared()
                .annotated(method -> method.hasDeclaredStereotype(IdempotentOperation.class))));
    }

    List<MethodElement> contracts() {
        return contracts;
    }

    private void note(ClassElement type) {
        ClassElement above = type.getSuperType().orElse(null);
        while (above != null && !above.getName().startsWith("java.")) {
            subclasses.computeIfAbsent(above.getName(), name -> new TreeSet<>()).add(type.getCanonicalName());
            above = above.getSuperType().orElse(null);
        }
    }

    boolean hasSubclasses() {
        return !subclasses.isEmpty();
    }

    /** The subclasses of a class, as far as they are compiled now. */
    Set<String> subclasses(String className) {
        return subclasses.getOrDefault(className, Set.of());
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

    /** The methods of beans that answer for operations by an annotation. */
    List<AnsweringMethod> answering(Class<? extends Annotation> annotation) {
        return answering.stream()
                .filter(method -> method.annotation() == annotation && isBean(method.owner()))
                .toList();
    }

    /** Those in what is no bean and has no subclasses that may be. */
    List<AnsweringMethod> answeringOutsideBeans() {
        return answering.stream()
                .filter(method -> !isBean(method.owner())
                        && subclasses(method.owner().getName()).isEmpty())
                .toList();
    }

    /** Whether a class is a bean by itself, without a factory. */
    public static boolean isBean(ClassElement owner) {
        return BEAN_STEREOTYPES.stream().anyMatch(owner::hasStereotype)
                || owner.getPrimaryConstructor()
                        .filter(constructor -> constructor.hasStereotype(INJECT))
                        .isPresent()
                || Stream.of(ElementQuery.ALL_FIELDS, ElementQuery.ALL_METHODS)
                        .anyMatch(members -> owner.getEnclosedElement(
                                        members.onlyDeclared().annotated(it -> it.hasStereotype(INJECT)))
                                .isPresent());
    }
}

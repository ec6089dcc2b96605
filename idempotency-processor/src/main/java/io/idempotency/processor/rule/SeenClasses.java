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

/** The classes of this compilation, for rules that compare several of them. */
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
    final List<MethodElement> contracts = new ArrayList<>();

    /** A method that answers for a named operation by an annotation. */
    record AnsweringMethod(
            Class<? extends Annotation> annotation, String operation, ClassElement owner, MethodElement method) {}

    /** Adds a class, and returns whether it has methods that answer for operations. */
    public boolean add(ClassElement type) {
        if (!names.add(type.getName())) {
            return false;
        }
        note(type);
        return !type.isAbstract()
                && Stream.of(Reconciles.class, Reloads.class)
                        .map(annotation -> answering.addAll(methods(type, annotation)))
                        .reduce(false, Boolean::logicalOr);
    }

    /** Adds annotated methods that become operations of inheriting beans, and returns whether there are any. */
    public boolean addContract(ClassElement type) {
        return contracts.addAll(type.getEnclosedElements(ElementQuery.ALL_METHODS
                .onlyDeclared()
                .annotated(method -> method.hasDeclaredStereotype(IdempotentOperation.class))));
    }

    /** Adds a class, and those in it, as subclasses. */
    public void note(ClassElement type) {
        type.getEnclosedElements(ElementQuery.ALL_INNER_CLASSES.onlyDeclared()).forEach(this::note);
        ClassElement above = type.isAbstract() ? null : type.getSuperType().orElse(null);
        while (above != null && !above.getName().startsWith("java.")) {
            subclasses.computeIfAbsent(above.getName(), name -> new TreeSet<>()).add(type.getCanonicalName());
            above = above.getSuperType().orElse(null);
        }
    }

    /** Returns the concrete subclasses of a class, of those that are compiled now. */
    Set<String> subclasses(String className) {
        return subclasses.getOrDefault(className, Set.of());
    }

    private static List<AnsweringMethod> methods(ClassElement type, Class<? extends Annotation> annotation) {
        return type.getEnclosedElements(ElementQuery.ALL_METHODS.annotated(it -> it.hasStereotype(annotation))).stream()
                .map(method -> new AnsweringMethod(
                        annotation, method.stringValue(annotation).orElse(""), type, method))
                .toList();
    }

    /** Tells whether a class was seen, or the class around it. */
    public boolean contains(String className) {
        int nested = className.indexOf('$');
        return names.contains(className) || (nested > 0 && names.contains(className.substring(0, nested)));
    }

    /** Returns the methods of beans that answer for operations by an annotation. */
    List<AnsweringMethod> answering(Class<? extends Annotation> annotation) {
        return answering.stream()
                .filter(method -> method.annotation() == annotation && isBean(method.owner()))
                .toList();
    }

    /** Returns the answering methods in classes that are no beans and have no subclasses. */
    List<AnsweringMethod> answeringOutsideBeans() {
        return answering.stream()
                .filter(method -> !isBean(method.owner())
                        && subclasses(method.owner().getName()).isEmpty())
                .toList();
    }

    /** Tells whether a class is a bean by itself, without a factory. */
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

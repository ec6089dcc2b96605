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

    public List<MethodElement> contracts() {
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
    public boolean hasSubclasses() {
        return !subclasses.isEmpty();
    }

    /** The subclasses of a class, as far as they are compiled now. */
    public List<String> subclasses(String className) {
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

    public List<AnsweringMethod> reconcilers() {
        return ofBeans(reconcilers);
    }

    public List<AnsweringMethod> reloaders() {
        return ofBeans(reloaders);
    }

    /** Those in what is no bean and has no subclasses that may be. */
    public List<AnsweringMethod> answeringOutsideBeans() {
        return Stream.concat(reconcilers.stream(), reloaders.stream())
                .filter(method -> !isBean(method.owner())
                        && subclasses(method.owner().getName()).isEmpty())
                .toList();
    }

    private static List<AnsweringMethod> ofBeans(List<AnsweringMethod> methods) {
        return methods.stream().filter(method -> isBean(method.owner())).toList();
    }

    /** Whether a class is a bean by itself, without a factory. */
    public static boolean isBean(ClassElement owner) {
        return BEAN_STEREOTYPES.stream().anyMatch(owner::hasStereotype)
                || owner.getPrimaryConstructor()
                        .filter(constructor -> constructor.hasStereotype(INJECT))
                        .isPresent()
                || owner.getEnclosedElement(
                                ElementQuery.ALL_FIELDS.onlyDeclared().annotated(it -> it.hasStereotype(INJECT)))
                        .isPresent()
                || owner.getEnclosedElement(
                                ElementQuery.ALL_METHODS.onlyDeclared().annotated(it -> it.hasStereotype(INJECT)))
                        .isPresent();
    }
}

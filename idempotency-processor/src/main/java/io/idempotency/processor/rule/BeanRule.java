package io.idempotency.processor.rule;

import io.idempotency.processor.plan.Operation;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.ElementQuery;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The class must be a bean. One without a scope is none, since advice that a processor adds does not make it one: its
 * method would silently run unprotected.
 */
public final class BeanRule implements OperationRule {

    private final List<Operation> homeless = new ArrayList<>();
    private final Set<String> produced = new HashSet<>();

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

    @Override
    public void check(Operation operation, Problems problems) {
        if (operation.method().produced()) {
            produced.add(operation.method().owner().getName());
        } else if (!isBean(operation.method().owner())) {
            homeless.add(operation);
        }
    }

    /** Only now have the factories of the compilation been seen. */
    @Override
    public void finish(SeenClasses compilation, Problems problems) {
        homeless.stream()
                .filter(operation ->
                        !produced.contains(operation.method().owner().getName()))
                .forEach(operation -> problems.report(
                        RuleId.NO_BEAN,
                        operation,
                        operation.method().owner().getSimpleName()
                                + " has no scope, so it is no bean and its method would run unprotected. Add one to the"
                                + " class, for instance @Singleton, make it by a @Factory of the same module, or declare it"
                                + " abstract if only its subclasses are beans."));
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

package io.idempotency.processor.rule;

import io.idempotency.processor.plan.Operation;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.ElementQuery;
import java.util.List;

/**
 * The class must be a bean. One without a scope is none, since advice that a processor adds does not make it one: its
 * method would silently run unprotected.
 */
public final class BeanRule implements OperationRule {

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
        ClassElement owner = operation.method().owner();
        if (!isBean(owner)) {
            problems.error(
                    operation,
                    owner.getSimpleName() + " has no scope, so it is no bean and its method would run unprotected. Add"
                            + " one to the class, for instance @Singleton.");
        }
    }

    private static boolean isBean(ClassElement owner) {
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

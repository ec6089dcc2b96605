package io.idempotency.processor.rule;

import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.RuleId;
import io.idempotency.processor.plan.Operation;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.MethodElement;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Requires that an operation's class is a bean: otherwise the method would silently run unprotected. An annotated
 * method of an abstract type is an operation only of the beans that inherit it.
 *
 * @param library whether this is a library, whose interfaces may be implemented elsewhere, and no application
 */
record BeanRule(boolean library) implements OperationRule {

    /** Runs at the end, when the factories of the whole compilation are known. */
    @Override
    public void finish(List<Operation> operations, SeenClasses compilation, Problems problems) {
        Set<String> produced = operations.stream()
                .filter(operation -> operation.method().produced())
                .map(operation -> operation.method().owner().getName())
                .collect(Collectors.toSet());
        for (Operation operation : operations) {
            ClassElement owner = operation.method().owner();
            if (!produced.contains(owner.getName()) && !SeenClasses.isBean(owner)) {
                problems.of(RuleId.NO_BEAN, operation)
                        .say(owner.getSimpleName()
                                + " has no scope, so it is no bean and its method would run unprotected. Add one to"
                                + " the class, for instance @Singleton, make it by a @Factory of the same module, or"
                                + " declare it abstract if only its subclasses are beans.");
            }
        }
        if (!library) {
            compilation.contracts.stream()
                    .filter(method -> operations.stream()
                            .noneMatch(it -> it.method().owner().isAssignable(method.getDeclaringType())))
                    .forEach(method -> notInherited(method, problems));
        }
    }

    private static void notInherited(MethodElement method, Problems problems) {
        String type = BoundType.simpleName(method.getDeclaringType());
        problems.of(RuleId.NO_IMPLEMENTATION, method)
                .say(type + "." + method.getName() + ": no bean of this module inherits it, and the annotation protects"
                        + " the calls of beans only. Unless another module has one, make a class that "
                        + (method.getDeclaringType().isInterface() ? "implements " : "extends ") + type
                        + " a bean, or annotate the methods that are called.");
    }
}

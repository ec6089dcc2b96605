package io.idempotency.processor.rule.bean;

import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.rule.OperationRule;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.RuleId;
import io.idempotency.processor.rule.SeenClasses;
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

    @Override
    public void check(Operation operation, Problems problems) {
        if (operation.method().produced()) {
            produced.add(operation.method().owner().getName());
        } else if (!SeenClasses.isBean(operation.method().owner())) {
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
}

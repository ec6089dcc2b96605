package io.idempotency.processor.rule;

import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.plan.Operation;
import java.util.HashMap;
import java.util.Map;

/**
 * Two operations of one name would answer each other's calls. Beans that inherit one annotated method share the
 * operation, which is what the annotation on an interface or a base class says.
 */
public final class UniqueNameRule implements OperationRule {

    private final Map<String, OperationMethod> seen = new HashMap<>();

    @Override
    public void check(Operation operation, Problems problems) {
        OperationMethod method = operation.method();
        OperationMethod first = seen.putIfAbsent(method.name(), method);
        if (first != null && !declaration(first).equals(declaration(method))) {
            problems.error(
                    operation,
                    "the name '" + method.name() + "' is taken by " + first.origin() + ". Give one of them another"
                            + " name; operations that shall share their keys have one namespace, not one name.");
        }
    }

    private static String declaration(OperationMethod method) {
        return method.declaration().getDeclaringType().getName() + "."
                + method.declaration().getDescription(false);
    }
}

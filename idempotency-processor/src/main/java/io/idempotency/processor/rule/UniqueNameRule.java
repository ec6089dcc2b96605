package io.idempotency.processor.rule;

import io.idempotency.IdempotentOperation;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.RuleId;
import io.idempotency.processor.plan.Operation;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.context.annotation.Requires;
import java.util.HashMap;
import java.util.Map;

/**
 * Requires unique names, since operations of one name would answer each other's calls. Beans that inherit one annotated
 * method may share it, and classes under a condition a name: start-up checks whether only one is active, or whether they
 * have a namespace in common.
 */
final class UniqueNameRule implements OperationRule {

    private final Map<String, OperationMethod> seen = new HashMap<>();

    @Override
    public void check(Operation operation, Problems problems) {
        OperationMethod method = operation.method();
        if (method.owner().hasStereotype(Requires.class) || method.owner().hasStereotype(Replaces.class)) {
            return; // only the start knows whether the class becomes a bean
        }
        OperationMethod first = seen.putIfAbsent(method.name(), method);
        if (first != null && !first.declared().equals(method.declared())) {
            boolean ownAnnotation = !method.declaration().hasDeclaredAnnotation(IdempotentOperation.class);
            problems.of(RuleId.NAME_TAKEN, operation, "value")
                    .say("the name '" + method.name() + "' is taken by " + first.origin() + ". Give one of them another"
                            + " name; operations that shall share their keys have one namespace, not one name."
                            + (ownAnnotation
                                    ? " Where an annotation of your own gives the name, let each method give it:"
                                            + " declare a member with @AliasFor(annotation = IdempotentOperation.class,"
                                            + " member = \"value\") there."
                                    : ""));
        }
    }
}

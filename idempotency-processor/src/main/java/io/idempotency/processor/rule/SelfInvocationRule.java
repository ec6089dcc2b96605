package io.idempotency.processor.rule;

import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.RuleId;
import io.idempotency.processor.model.SelfCalls;
import io.idempotency.processor.plan.Operation;
import io.micronaut.inject.visitor.VisitorContext;
import java.util.Set;

/**
 * A bean that is called through a proxy of another object passes its own calls by it. Most Micronaut beans are their
 * own proxies, a subclass, and their calls of themselves are protected; those of a factory and those with a scoped
 * proxy are not.
 */
final class SelfInvocationRule implements OperationRule {

    private final VisitorContext context;

    SelfInvocationRule(VisitorContext context) {
        this.context = context;
    }

    @Override
    public void check(Operation operation, Problems problems) {
        OperationMethod method = operation.method();
        boolean isBehindProxy = method.produced()
                || method.owner()
                        .booleanValue("io.micronaut.aop.Around", "proxyTarget")
                        .orElse(false);
        Set<String> callers = isBehindProxy ? SelfCalls.callersOf(method, context) : Set.of();
        if (!callers.isEmpty()) {
            problems.of(RuleId.SELF_INVOCATION, operation)
                    .say("called by " + String.join(", ", callers)
                            + " of the same class. The bean is reached through a proxy of another object, so calls from"
                            + " inside pass it by and run unprotected. Move the method to a bean of its own.");
        }
    }
}

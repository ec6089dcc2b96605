package io.idempotency.processor.rule.bean;

import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.SelfCalls;
import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.rule.OperationRule;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.RuleId;
import io.micronaut.inject.visitor.VisitorContext;
import java.util.Set;

/**
 * A bean that is called through a proxy of another object passes its own calls by it. Most Micronaut beans are their
 * own proxies, a subclass, and their calls of themselves are protected; those of a factory and those with a scoped
 * proxy are not.
 */
public final class SelfInvocationRule implements OperationRule {

    private static final String AROUND = "io.micronaut.aop.Around";

    private final VisitorContext context;

    /** For a compilation, whose method bodies are read. */
    public SelfInvocationRule(VisitorContext context) {
        this.context = context;
    }

    @Override
    public void check(Operation operation, Problems problems) {
        OperationMethod method = operation.method();
        if (!method.produced()
                && !method.owner().booleanValue(AROUND, "proxyTarget").orElse(false)) {
            return;
        }
        Set<String> callers = SelfCalls.callersOf(method, context);
        if (!callers.isEmpty()) {
            problems.report(
                    RuleId.SELF_INVOCATION,
                    operation,
                    "called by " + String.join(", ", callers)
                            + " of the same class. The bean is reached through a proxy"
                            + " of another object, so calls from inside pass it by and run unprotected. Move the"
                            + " method to a bean of its own.");
        }
    }
}

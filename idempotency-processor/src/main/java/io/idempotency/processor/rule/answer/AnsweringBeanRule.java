package io.idempotency.processor.rule.answer;

import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.rule.OperationRule;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.SeenClasses;

/** Only beans are asked, and of a factory's product Micronaut does not know the methods. */
public final class AnsweringBeanRule implements OperationRule {

    @Override
    public void check(Operation operation, Problems problems) {
        // what answers is seen apart from the operations
    }

    @Override
    public void finish(SeenClasses compilation, Problems problems) {
        compilation
                .answeringOutsideBeans()
                .forEach(method -> method.neverAsked(
                        method.owner().getSimpleName().replace('$', '.')
                                + " is no bean, or only as the product of a @Factory, whose methods cannot be found. This"
                                + " method is never asked. Add a scope to the class, for instance @Singleton.",
                        problems));
    }
}

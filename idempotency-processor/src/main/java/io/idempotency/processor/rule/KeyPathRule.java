package io.idempotency.processor.rule;

import io.idempotency.processor.plan.Operation;

/** A key that is read from the parameters must be there. */
public final class KeyPathRule implements OperationRule {

    @Override
    public void check(Operation operation, Problems problems) {
        operation.key().problems().forEach(message -> problems.reportValue(RuleId.KEY_PATH, operation, "key", message));
    }
}

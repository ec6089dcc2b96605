package io.idempotency.processor.rule.key;

import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.rule.OperationRule;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.RuleId;

/** A key that is read from the parameters must be there. */
public final class KeyPathRule implements OperationRule {

    @Override
    public void check(Operation operation, Problems problems) {
        operation.key().problems().forEach(message -> problems.reportValue(RuleId.KEY_PATH, operation, "key", message));
    }
}

package io.idempotency.processor.rule.policy;

import io.idempotency.processor.model.Durations;
import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.rule.OperationRule;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.RuleId;

/** The durations of the annotation must be durations. */
public final class DurationRule implements OperationRule {

    @Override
    public void check(Operation operation, Problems problems) {
        for (String attribute : Durations.ATTRIBUTES) {
            String written = operation.method().text(attribute);
            if (operation.method().sets(attribute) && Durations.parse(written).isEmpty()) {
                problems.reportValue(
                        RuleId.DURATION,
                        operation,
                        attribute,
                        attribute + " = \"" + written + "\" is not a duration of at least a millisecond. Write 500ms,"
                                + " 30s, 15m, 24h, 30d or ISO-8601 (PT30S).");
            }
        }
    }
}

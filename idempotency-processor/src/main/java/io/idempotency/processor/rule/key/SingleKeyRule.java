package io.idempotency.processor.rule.key;

import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.OperationParameter;
import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.rule.OperationRule;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.RuleId;
import java.util.List;

/** The key comes from exactly one place. */
public final class SingleKeyRule implements OperationRule {

    @Override
    public void check(Operation operation, Problems problems) {
        OperationMethod method = operation.method();
        List<String> marked = method.parameters().stream()
                .filter(OperationParameter::key)
                .map(OperationParameter::name)
                .toList();
        if (method.sets("key") && !marked.isEmpty()) {
            problems.reportValue(
                    RuleId.TWO_KEYS,
                    operation,
                    "key",
                    "the key is given twice, as key = … and by @IdempotencyKey on " + String.join(", ", marked)
                            + ". Remove one of them.");
        }
    }
}

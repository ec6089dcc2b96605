package io.idempotency.processor.rule;

import io.idempotency.processor.plan.FingerprintPlan;
import io.idempotency.processor.plan.Operation;

/** Every argument that is not left out on purpose must be part of the fingerprint, at best by generated code. */
public final class FingerprintableArgumentsRule implements OperationRule {

    @Override
    public void check(Operation operation, Problems problems) {
        FingerprintPlan plan = operation.fingerprint();
        plan.problems()
                .forEach(problem -> problems.report(
                        RuleId.UNFINGERPRINTABLE_ARGUMENT,
                        operation,
                        problem.message(),
                        problem.parameter().element()));
        plan.open()
                .forEach(open -> problems.report(
                        RuleId.OPEN_ARGUMENT,
                        operation,
                        open.message(),
                        open.parameter().element()));
    }
}

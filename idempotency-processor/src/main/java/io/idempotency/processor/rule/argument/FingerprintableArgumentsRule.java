package io.idempotency.processor.rule.argument;

import io.idempotency.processor.plan.FingerprintPlan;
import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.rule.OperationRule;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.RuleId;
import java.util.List;

/** Every argument that is not left out on purpose must be part of the fingerprint, at best by generated code. */
public final class FingerprintableArgumentsRule implements OperationRule {

    @Override
    public void check(Operation operation, Problems problems) {
        FingerprintPlan plan = operation.fingerprint();
        report(RuleId.UNFINGERPRINTABLE_ARGUMENT, plan.problems(), operation, problems);
        report(RuleId.OPEN_ARGUMENT, plan.open(), operation, problems);
        report(RuleId.SUBCLASSED_ARGUMENT, plan.subclassed(), operation, problems);
        report(RuleId.GENERATED_PROPERTY, plan.generated(), operation, problems);
    }

    private static void report(RuleId id, List<FingerprintPlan.Problem> found, Operation operation, Problems problems) {
        found.forEach(problem -> problems.report(
                id, operation, problem.message(), problem.parameter().element()));
    }
}

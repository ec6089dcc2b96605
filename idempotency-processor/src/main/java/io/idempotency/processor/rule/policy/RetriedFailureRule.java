package io.idempotency.processor.rule.policy;

import io.idempotency.OnFailure;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.rule.OperationRule;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.RuleId;

/** A retry around an operation that remembers its failure gets the failure again, and never another run. */
public final class RetriedFailureRule implements OperationRule {

    private static final String RETRYABLE = "io.micronaut.retry.annotation.Retryable";

    @Override
    public void check(Operation operation, Problems problems) {
        OperationMethod method = operation.method();
        boolean remembers = !method.text("onFailure").equals(OnFailure.RELEASE.name())
                && method.classNames("noEffectFor").isEmpty();
        if (remembers && method.method().hasStereotype(RETRYABLE)) {
            problems.report(
                    RuleId.RETRIED_FAILURE,
                    operation,
                    "@Retryable calls again after a failure, but the operation remembers its first one: the body does not"
                            + " run again, and the caller gets PreviousAttemptFailedException instead of the exception"
                            + " itself. Name the exceptions that are worth it in noEffectFor, write onFailure = RELEASE,"
                            + " or retry inside the body.");
        }
    }
}

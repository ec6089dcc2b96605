package io.idempotency.processor.rule;

import io.idempotency.processor.plan.Operation;

/** Every argument that is not left out on purpose must be part of the fingerprint. */
public final class FingerprintableArgumentsRule implements OperationRule {

    @Override
    public void check(Operation operation, Problems problems) {
        operation
                .fingerprint()
                .problems()
                .forEach(problem -> problems.error(
                        operation, problem.message(), problem.parameter().element()));
    }
}

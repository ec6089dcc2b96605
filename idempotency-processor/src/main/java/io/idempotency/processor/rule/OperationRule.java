package io.idempotency.processor.rule;

import io.idempotency.processor.plan.Operation;

/** One thing that an operation must be. */
public interface OperationRule {

    /**
     * Checks an operation.
     *
     * @param operation the operation
     * @param problems where every violation is reported
     */
    void check(Operation operation, Problems problems);
}

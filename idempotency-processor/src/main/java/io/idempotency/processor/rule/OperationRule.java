package io.idempotency.processor.rule;

import io.idempotency.processor.plan.Operation;

/** One thing that an operation must be. One instance per compilation. */
public interface OperationRule {

    void check(Operation operation, Problems problems);

    /**
     * Checks what can be said only after every class of the compilation was seen. Called at the end of every round, and
     * problems are reported once.
     */
    default void finish(SeenClasses compilation, Problems problems) {}
}

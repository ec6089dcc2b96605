package io.idempotency.processor.rule;

import io.idempotency.definition.KeySource;
import io.idempotency.processor.plan.Operation;

/** A key that is made of the arguments needs arguments. */
public final class ArgumentKeyRule implements OperationRule {

    @Override
    public void check(Operation operation, Problems problems) {
        if (operation.key().source() == KeySource.ARGUMENTS
                && operation.fingerprint().parameters().isEmpty()
                && operation.fingerprint().problems().isEmpty()) {
            problems.report(
                    RuleId.CONSTANT_KEY, operation,
                    "the arguments are the key, and there are none that count, so every call has the same key: the body"
                            + " runs once, and every other call gets its result until that is forgotten. If that is"
                            + " not meant, add a parameter that tells calls apart and name it with key = \"…\".");
        }
    }
}

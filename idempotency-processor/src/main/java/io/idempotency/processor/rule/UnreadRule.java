package io.idempotency.processor.rule;

import io.idempotency.WhenInProgress;
import io.idempotency.definition.KeySource;
import io.idempotency.processor.model.Durations;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.plan.KeyPart;
import io.idempotency.processor.plan.Operation;
import java.util.List;

/** What the annotation says is read by something. */
public final class UnreadRule implements OperationRule {

    @Override
    public void check(Operation operation, Problems problems) {
        OperationMethod method = operation.method();
        boolean rejects = method.text("whenInProgress").equals(WhenInProgress.REJECT.name());
        if (method.sets(Durations.WAIT_TIMEOUT) && rejects) {
            problems.report(
                    RuleId.NOTHING_READS,
                    operation,
                    "waitTimeout says how long a duplicate waits, and whenInProgress = REJECT that none does. Write WAIT,"
                            + " or remove waitTimeout.");
        }
        if (method.sets("keyRequired") && !method.flag("keyRequired") && isAlwaysThere(operation)) {
            problems.report(
                    RuleId.NOTHING_READS,
                    operation,
                    "keyRequired = false is for calls without a key, and this one's is never absent. Remove it.");
        }
    }

    private static boolean isAlwaysThere(Operation operation) {
        List<KeyPart> parts = operation.key().parts();
        return operation.key().source() == KeySource.ARGUMENTS
                || (!parts.isEmpty()
                        && parts.stream()
                                .allMatch(part -> part.steps().isEmpty()
                                        && part.parameter().type().isPrimitive()));
    }
}

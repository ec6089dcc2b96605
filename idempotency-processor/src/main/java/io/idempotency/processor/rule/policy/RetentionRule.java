package io.idempotency.processor.rule.policy;

import io.idempotency.processor.model.Durations;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.rule.OperationRule;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.RuleId;
import java.time.Duration;
import java.util.Optional;

/** An outcome must be remembered for at least as long as a claim stands. One left out is compared at start-up. */
public final class RetentionRule implements OperationRule {

    private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);

    @Override
    public void check(Operation operation, Problems problems) {
        OperationMethod method = operation.method();
        Optional<Duration> retention = Durations.parse(method.text(Durations.RETENTION));
        Optional<Duration> lease = Durations.parse(method.text(Durations.LEASE));
        if (retention.isPresent() && lease.isPresent() && retention.get().compareTo(lease.get()) < 0) {
            problems.reportValue(
                    RuleId.RETENTION,
                    operation,
                    Durations.RETENTION,
                    "retention = \"" + method.text(Durations.RETENTION) + "\" is shorter than lease = \""
                            + method.text(Durations.LEASE) + "\", so a duplicate that waits for its turn would find the"
                            + " outcome forgotten and run again. Raise the retention.");
        }
        if (lease.isPresent() && lease.get().compareTo(SHORTEST_LEASE) < 0) {
            problems.reportValue(
                    RuleId.SHORT_LEASE,
                    operation,
                    Durations.LEASE,
                    "lease = \"" + method.text(Durations.LEASE)
                            + "\" is shorter than a pause of the JVM or a slow answer of"
                            + " the store, so a running body loses its claim before it can renew it. Write at least 1s.");
        }
    }
}

package io.idempotency.processor.rule;

import io.idempotency.processor.model.Durations;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.RuleId;
import io.idempotency.processor.plan.Operation;
import java.time.Duration;
import java.util.Optional;

/** Requires valid durations, and a retention of at least the lease, which start-up checks where one is not given. */
final class DurationRule implements OperationRule {

    @Override
    public void check(Operation operation, Problems problems) {
        OperationMethod method = operation.method();
        for (String attribute : Durations.ATTRIBUTES) {
            String written = method.text(attribute);
            if (method.sets(attribute) && Durations.parse(written).isEmpty()) {
                problems.of(RuleId.DURATION, operation, attribute)
                        .say(attribute + " = \"" + written
                                + "\" is not a duration of at least a millisecond. Write 500ms, 30s, 15m, 24h, 30d or"
                                + " ISO-8601 (PT30S).");
            }
        }
        Optional<Duration> retention = Durations.parse(method.text(Durations.RETENTION));
        Optional<Duration> lease = Durations.parse(method.text(Durations.LEASE));
        if (retention.isPresent() && lease.isPresent() && retention.get().compareTo(lease.get()) < 0) {
            problems.of(RuleId.RETENTION, operation, Durations.RETENTION)
                    .say("retention = \"" + method.text(Durations.RETENTION) + "\" is shorter than lease = \""
                            + method.text(Durations.LEASE) + "\", so a duplicate that waits for its turn would find the"
                            + " outcome forgotten and run again. Raise the retention.");
        }
        if (lease.isPresent() && lease.get().compareTo(Duration.ofSeconds(1)) < 0) {
            problems.of(RuleId.SHORT_LEASE, operation, Durations.LEASE)
                    .say("lease = \"" + method.text(Durations.LEASE) + "\" is shorter than a pause of the JVM or a slow"
                            + " answer of the store, so a running body loses its claim before it can renew it. Write at"
                            + " least 1s.");
        }
    }
}

package io.idempotency.processor.rule.key;

import io.idempotency.processor.messaging.KafkaListening;
import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.rule.OperationRule;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.RuleId;

/** Warns where a Kafka listener would lose messages whose calls are refused for a while, and cannot be given a default. */
public final class KafkaListenerRule implements OperationRule {

    private static final String STRATEGY = "RETRY_ON_ERROR with retryCount = Integer.MAX_VALUE, and"
            + " OperationInProgressException, IdempotencyStoreUnavailableException and"
            + " ApplicationShuttingDownException in exceptionTypes.";

    @Override
    public void check(Operation operation, Problems problems) {
        KafkaListening.of(operation.method()).ifPresent(listening -> check(listening, operation, problems));
    }

    private static void check(KafkaListening listening, Operation operation, Problems problems) {
        if (listening.isBatch()) {
            problems.report(
                    RuleId.LOST_MESSAGES,
                    operation,
                    "the records of a poll are one call here, and another poll brings other records together: a record that"
                            + " is delivered again has another key, and runs again. Take one record at a time (without"
                            + " batch = true), or call an operation of another bean for each record; the listener then needs "
                            + STRATEGY);
        }
        if (listening.loses()) {
            problems.report(
                    RuleId.LOST_MESSAGES,
                    operation,
                    "the listener's error strategy skips a message whose call is refused for a while (in progress, store"
                            + " unavailable, shutting down), and it is never handled. Remove errorStrategy: the compiler"
                            + " adds one that keeps such messages. Or write "
                            + STRATEGY);
        }
    }
}

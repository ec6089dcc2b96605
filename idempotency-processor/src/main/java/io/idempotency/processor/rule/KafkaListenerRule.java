package io.idempotency.processor.rule;

import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.plan.Operation;
import io.micronaut.inject.ast.ClassElement;

/**
 * Warns where a Kafka listener would lose what is refused for a while, or join another consumer group. Micronaut Kafka names the group after
 * the bean's class where neither {@code groupId} nor {@code micronaut.application.name} is set, and the class of an
 * intercepted bean is a generated one.
 */
public final class KafkaListenerRule implements OperationRule {

    private static final String LISTENER = "io.micronaut.configuration.kafka.annotation.KafkaListener";

    @Override
    public void check(Operation operation, Problems problems) {
        OperationMethod method = operation.method();
        ClassElement owner = method.owner();
        if (!owner.hasAnnotation(LISTENER)) {
            return;
        }
        boolean grouped = owner.stringValue(LISTENER, "groupId")
                        .filter(group -> !group.isEmpty())
                        .isPresent()
                || owner.stringValue(LISTENER).filter(group -> !group.isEmpty()).isPresent();
        if (!grouped) {
            problems.report(
                    RuleId.CONSUMER_GROUP,
                    operation,
                    "the listener's consumer group is named after its class where micronaut.application.name is not set, and"
                            + " the class of an intercepted bean is a generated one: it joins another group than"
                            + " without the annotation, and reads from where that group is. Write"
                            + " @KafkaListener(groupId = \"…\") with the name of today's group.");
        }
        if (owner.getAnnotation(LISTENER).getAnnotation("errorStrategy").isEmpty()) {
            problems.report(
                    RuleId.LOST_MESSAGES,
                    operation,
                    "a message whose call is refused for a while (in progress, store unavailable, shutting down) is skipped"
                            + " by the listener's default error strategy, and never handled. Write the errorStrategy"
                            + " of docs/recipes.md: RETRY_ON_ERROR for these three exceptions, with"
                            + " offsetStrategy = SYNC_PER_RECORD.");
        }
    }
}

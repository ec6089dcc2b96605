package io.idempotency.processor.rule.key;

import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.rule.OperationRule;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.RuleId;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.MethodElement;
import java.util.Arrays;
import java.util.stream.Stream;

/** Warns where a RabbitMQ listener would lose messages, or have one delivered again for ever. */
public final class RabbitListenerRule implements OperationRule {

    private static final String LISTENER = "io.micronaut.rabbitmq.annotation.RabbitListener";
    private static final String QUEUE = "io.micronaut.rabbitmq.annotation.Queue";

    @Override
    public void check(Operation operation, Problems problems) {
        MethodElement method = operation.method().method();
        if (operation.method().owner().hasAnnotation(LISTENER) && method.hasAnnotation(QUEUE)) {
            check(method).forEach(message -> problems.report(RuleId.LOST_MESSAGES, operation, message));
        }
    }

    private static Stream<String> check(MethodElement method) {
        Stream.Builder<String> found = Stream.builder();
        if (method.booleanValue(QUEUE, "autoAcknowledgment").orElse(false)) {
            found.add(
                    "autoAcknowledgment = true has the broker forget a message before it is handled: one whose call is"
                            + " refused for a while (in progress, store unavailable, shutting down) is lost when the application"
                            + " ends. Remove it.");
        }
        if (method.booleanValue(QUEUE, "reQueue").orElse(false)) {
            found.add(
                    "reQueue = true has a message that cannot be handled delivered again at once, for ever. Remove it: a"
                            + " message whose call is refused for a while is held in any case, and any other goes to the queue's"
                            + " dead letter exchange.");
        }
        if (isAsynchronous(method.getReturnType())) {
            found.add(
                    "Micronaut RabbitMQ acknowledges a message when the method returns, which is before the outcome is"
                            + " known: where that is a refusal or a failure, the message is lost. Return the value itself.");
        }
        if (acknowledges(method)) {
            found.add(
                    "a replay does not run the body, which alone would acknowledge the message: the broker delivers it"
                            + " again. Leave the acknowledgement to Micronaut RabbitMQ: remove the parameter.");
        }
        return found.build();
    }

    private static boolean isAsynchronous(ClassElement result) {
        return Stream.of("java.util.concurrent.CompletionStage", "org.reactivestreams.Publisher")
                .anyMatch(result::isAssignable);
    }

    private static boolean acknowledges(MethodElement method) {
        return Arrays.stream(method.getParameters())
                .anyMatch(parameter -> parameter.getType().isAssignable("io.micronaut.messaging.Acknowledgement"));
    }
}

package io.idempotency.processor.rule;

import io.idempotency.definition.KafkaStrategy;
import io.idempotency.processor.model.KafkaListening;
import io.idempotency.processor.model.RuleId;
import io.idempotency.processor.plan.Operation;
import io.micronaut.inject.ast.MethodElement;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** Warns where a Kafka or RabbitMQ listener loses messages whose calls are refused, or repeats one for ever. */
final class ListenerRule implements OperationRule {

    private static final String ASYNC = "io.micronaut.scheduling.annotation.Async";
    private static final String STRATEGY = "RETRY_ON_ERROR with retryCount = Integer.MAX_VALUE, and"
            + " OperationInProgressException, IdempotencyStoreUnavailableException, TooManyRecordsException and"
            + " ApplicationShuttingDownException in exceptionTypes.";
    private static final String QUEUE = "io.micronaut.rabbitmq.annotation.Queue";

    @Override
    public void check(Operation operation, Problems problems) {
        Problems.Report report = problems.of(RuleId.LOST_MESSAGES, operation);
        MethodElement method = operation.method().method();
        KafkaListening.of(operation.method()).ifPresent(listening -> kafka(listening, method, report));
        if (method.hasAnnotation(QUEUE)) {
            rabbit(operation, method, report);
        }
    }

    private static void kafka(KafkaListening listening, MethodElement method, Problems.Report report) {
        if (method.hasStereotype(ASYNC) || method.getReturnType().isAssignable(CompletionStage.class)) {
            report.say("Micronaut Kafka waits for no CompletionStage and no @Async: a record whose call is refused or"
                    + " fails is committed all the same, and lost. Return the value, or a Mono, without @Async.");
        }
        var annotation = listening.listener().getAnnotation(KafkaStrategy.LISTENER);
        if (annotation.booleanValue("batch").orElse(false)) {
            report.say("the records of a poll are one call here, and another poll brings other records together: a"
                    + " record that is delivered again has another key, and runs again. Take one record at a time (no"
                    + " batch), or call another bean's operation for each record; the listener needs " + STRATEGY);
        }
        if (listening.hasSeveralTopics()) {
            report.say("Micronaut Kafka (its issue 1028) goes back on one topic only where a record's call is refused"
                    + " for a while: what the same poll brought of the others is lost. Write a method for each topic.");
        }
        String offsets = annotation.stringValue("offsetStrategy").orElse("");
        if (offsets.equals("SEND_TO_TRANSACTION")) {
            report.say("offsetStrategy = SEND_TO_TRANSACTION commits a whole poll with its first record: a later one,"
                    + " whose call is refused for a while, is lost when the application ends. Write SYNC.");
        }
        if (offsets.equals("SYNC_PER_RECORD")) {
            report.say("offsetStrategy = SYNC_PER_RECORD leaves out the rest of the poll when a commit fails: its"
                    + " records are never handled. Write SYNC.");
        }
        if (offsets.equals("DISABLED") || acknowledges(method)) {
            report.say("a replay runs no body, which alone would acknowledge the record: with offsetStrategy = DISABLED"
                    + " it comes again, and runs after the retention. Write SYNC, and take no Acknowledgement.");
        }
        if (listening.isIncomplete()) {
            report.say("@KafkaListener is on an annotation, to which the compiler adds nothing: a message whose call is"
                    + " refused for a while is lost. Write @KafkaListener itself, or an errorStrategy there: "
                    + STRATEGY);
        }
        if (listening.loses()) {
            report.say("the listener's error strategy skips a message whose call is refused for a while (in progress,"
                    + " store unavailable, shutting down), and it is never handled. Remove errorStrategy: the"
                    + " compiler adds one that keeps such messages. Or write " + STRATEGY);
        }
    }

    private static void rabbit(Operation operation, MethodElement method, Problems.Report report) {
        if (method.booleanValue(QUEUE, "autoAcknowledgment").orElse(false)) {
            report.say("autoAcknowledgment = true has the broker forget a message before it is handled: one whose call"
                    + " is refused for a while is lost when the application ends. Remove it.");
        }
        if (method.booleanValue(QUEUE, "reQueue").orElse(false)) {
            report.say("reQueue = true has a message that cannot be handled delivered again at once, for ever. Remove"
                    + " it: one whose call is refused for a while is held anyway, and others are dead-lettered.");
        }
        if (method.hasStereotype(ASYNC) || operation.result().carrier() != null) {
            report.say("Micronaut RabbitMQ acknowledges a message when the method returns, before the outcome is known:"
                    + " after a refusal or a failure the message is lost. Return the value itself, without @Async.");
        }
        if (acknowledges(method)) {
            report.say("a replay does not run the body, which alone would acknowledge the message: the broker delivers"
                    + " it again. Leave the acknowledgement to Micronaut RabbitMQ: remove the parameter.");
        }
    }

    private static boolean acknowledges(MethodElement method) {
        return Stream.of(method.getParameters())
                .anyMatch(it -> it.getType().isAssignable("io.micronaut.messaging.Acknowledgement"));
    }
}

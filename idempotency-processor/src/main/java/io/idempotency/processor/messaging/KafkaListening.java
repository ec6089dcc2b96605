package io.idempotency.processor.messaging;

import io.idempotency.IdempotentOperation;
import io.idempotency.definition.KafkaStrategy;
import io.idempotency.processor.model.OperationMethod;
import io.micronaut.core.annotation.AnnotationValue;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.Element;
import io.micronaut.inject.ast.ElementQuery;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An operation that is the method of a Kafka listener.
 *
 * @param operation the method
 * @param listener the class or the method that carries {@code @KafkaListener}
 */
public record KafkaListening(OperationMethod operation, Element listener) {

    private static final String LISTENER = KafkaStrategy.LISTENER;
    private static final String TOPIC = "io.micronaut.configuration.kafka.annotation.Topic";
    private static final String STRATEGY = "io.micronaut.configuration.kafka.annotation.ErrorStrategy";
    private static final String AROUND = "io.micronaut.aop.Around";

    /** The operation as a Kafka listener's method; empty where it is none. */
    public static Optional<KafkaListening> of(OperationMethod operation) {
        boolean onClass = operation.owner().hasAnnotation(LISTENER);
        Element listener = onClass ? operation.owner() : operation.method();
        boolean listens =
                listener.hasAnnotation(LISTENER) && (hasTopics(operation.owner()) || hasTopics(operation.method()));
        return listens ? Optional.of(new KafkaListening(operation, listener)) : Optional.empty();
    }

    /** The annotation is repeatable, so it stands inside its container. */
    private static boolean hasTopics(Element element) {
        return !element.getAnnotationValuesByName(TOPIC).isEmpty();
    }

    /** Whether the method takes all records of a poll at once. */
    public boolean isBatch() {
        return listener.booleanValue(LISTENER, "batch").orElse(false);
    }

    /** Whether the listener's own error strategy skips a message that is refused for a while. */
    public boolean loses() {
        return strategy().map(KafkaListening::skips).orElse(false);
    }

    private Optional<AnnotationValue<Annotation>> strategy() {
        return listener.getAnnotation(LISTENER).getAnnotation("errorStrategy");
    }

    private static boolean skips(AnnotationValue<?> strategy) {
        // a number that is a placeholder is known when the application starts, and looked at there
        return KafkaStrategy.skips(
                strategy, strategy.contains("retryCountValue") ? Integer.MAX_VALUE : KafkaStrategy.retries(strategy));
    }

    /**
     * Adds what the listener leaves out: an error strategy that tries a message again while its call is refused for a
     * while and skips it for any other exception, offsets that are committed for what was handled, and the group that
     * the listener has without the operation.
     */
    public void complete() {
        boolean offsets = listener.getAnnotation(LISTENER).contains("offsetStrategy");
        boolean strategy = strategy().isPresent();
        boolean grouped = Stream.of("groupId", "value")
                .anyMatch(member -> listener.stringValue(LISTENER, member)
                        .filter(group -> !group.isEmpty())
                        .isPresent());
        boolean moved = !grouped && !isIntercepted(operation.owner());
        listener.annotate(LISTENER, builder -> {
            if (!offsets) {
                builder.member("offsetStrategy", isBatch() ? "SYNC" : "SYNC_PER_RECORD");
            }
            if (!strategy) {
                builder.member("errorStrategy", retryWhileRefused());
            }
            if (moved) {
                // Micronaut Kafka's own default, with the class of the source instead of the intercepted one
                builder.member(
                        "groupId",
                        "${micronaut.application.name:" + operation.owner().getName() + "}");
            }
        });
    }

    private static AnnotationValue<?> retryWhileRefused() {
        return AnnotationValue.builder(STRATEGY)
                .member("value", "RETRY_ON_ERROR")
                .member("retryCount", Integer.MAX_VALUE)
                .member("retryDelay", "1s")
                .member("exceptionTypes", KafkaStrategy.PASSING.toArray(Class[]::new))
                .build();
    }

    /** Whether other advice has the class intercepted anyway: then its group is named after the generated class today. */
    private static boolean isIntercepted(ClassElement owner) {
        return isAdvised(owner)
                || owner.getEnclosedElements(ElementQuery.ALL_METHODS).stream().anyMatch(KafkaListening::isAdvised);
    }

    private static boolean isAdvised(Element element) {
        List<String> ours = element.getAnnotationNamesByStereotype(IdempotentOperation.class);
        return element.getAnnotationNamesByStereotype(AROUND).stream()
                .anyMatch(advice -> !advice.equals(IdempotentOperation.class.getName()) && !ours.contains(advice));
    }
}

package io.idempotency.processor.model;

import io.idempotency.IdempotentOperation;
import io.idempotency.definition.KafkaStrategy;
import io.micronaut.core.annotation.AnnotationValue;
import io.micronaut.inject.ast.Element;
import io.micronaut.inject.ast.ElementQuery;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An operation that is a Kafka listener's method.
 *
 * @param listener the class or the method that carries {@code @KafkaListener}
 */
public record KafkaListening(OperationMethod operation, Element listener) {

    private static final String LISTENER = KafkaStrategy.LISTENER;
    private static final String TOPIC = "io.micronaut.configuration.kafka.annotation.Topic";
    private static final String STRATEGY = "io.micronaut.configuration.kafka.annotation.ErrorStrategy";

    public static Optional<KafkaListening> of(OperationMethod operation) {
        boolean onClass = operation.owner().hasAnnotation(LISTENER);
        Element listener = onClass ? operation.owner() : operation.method();
        // a repeatable annotation is inside its container
        boolean hasTopics = Stream.of(operation.owner(), operation.method())
                .anyMatch(it -> !it.getAnnotationValuesByName(TOPIC).isEmpty());
        return listener.hasAnnotation(LISTENER) && hasTopics
                ? Optional.of(new KafkaListening(operation, listener))
                : Optional.empty();
    }

    /** Tells whether the method takes all records of a poll at once. */
    public boolean isBatch() {
        return listener.booleanValue(LISTENER, "batch").orElse(false);
    }

    /** Tells whether the listener's own error strategy skips messages of calls that are refused for a while. */
    public boolean loses() {
        // placeholders are resolved, and checked, when the application starts
        return strategy()
                .filter(it -> KafkaStrategy.skips(
                        it, it.contains("retryCountValue") ? Integer.MAX_VALUE : KafkaStrategy.retries(it)))
                .isPresent();
    }

    private Optional<AnnotationValue<Annotation>> strategy() {
        return listener.getAnnotation(LISTENER).getAnnotation("errorStrategy");
    }

    /**
     * Adds what the listener leaves out: an error strategy that retries a refused call and skips a message for any
     * other exception, a commit after each message, and the group of the listener without the operation.
     */
    public void complete() {
        boolean offsets = listener.getAnnotation(LISTENER).contains("offsetStrategy");
        boolean strategy = strategy().isPresent();
        boolean grouped = Stream.of("groupId", "value")
                .flatMap(member -> listener.stringValue(LISTENER, member).stream())
                .anyMatch(group -> !group.isEmpty());
        boolean moved = !grouped && !isIntercepted();
        listener.annotate(LISTENER, builder -> {
            if (!offsets) {
                builder.member("offsetStrategy", isBatch() ? "SYNC" : "SYNC_PER_RECORD");
            }
            if (!strategy) {
                builder.member("errorStrategy", retryWhileRefused());
            }
            if (moved) {
                // Micronaut Kafka's default, but of the source's class instead of the intercepted one
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

    /** Tells whether other advice intercepts the class, so that its group is already the generated class's. */
    private boolean isIntercepted() {
        return Stream.concat(
                        Stream.of(operation.owner()),
                        operation.owner().getEnclosedElements(ElementQuery.ALL_METHODS).stream())
                .anyMatch(KafkaListening::isAdvised);
    }

    private static boolean isAdvised(Element element) {
        List<String> ours = element.getAnnotationNamesByStereotype(IdempotentOperation.class);
        return element.getAnnotationNamesByStereotype("io.micronaut.aop.Around").stream()
                .anyMatch(advice -> !advice.equals(IdempotentOperation.class.getName()) && !ours.contains(advice));
    }
}

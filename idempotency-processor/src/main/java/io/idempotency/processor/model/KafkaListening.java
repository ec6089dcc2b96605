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
        Element listener = operation.owner().hasStereotype(LISTENER) ? operation.owner() : operation.method();
        return Optional.of(new KafkaListening(operation, listener))
                .filter(it -> listener.hasStereotype(LISTENER)
                        && it.topics().findAny().isPresent());
    }

    /** Returns the method's own topics, else those of the class. */
    private Stream<AnnotationValue<Annotation>> topics() {
        // a repeatable annotation is inside its container
        return Stream.of(operation.method().getMethodAnnotationMetadata(), operation.owner())
                .map(it -> it.<Annotation>getAnnotationValuesByName(TOPIC))
                .filter(topics -> !topics.isEmpty())
                .limit(1)
                .flatMap(List::stream);
    }

    /** Tells whether one consumer reads several topics. */
    public boolean hasSeveralTopics() {
        return topics().anyMatch(topic -> topic.stringValues("patterns").length > 0)
                || topics().mapToInt(topic -> topic.stringValues().length).sum() > 1;
    }

    /** Tells whether the listener leaves to the compiler what the compiler cannot write into an annotation's annotation. */
    public boolean isIncomplete() {
        return !listener.hasAnnotation(LISTENER) && strategy().isEmpty();
    }

    /** Tells whether the listener's own error strategy skips messages of calls that are refused for a while. */
    public boolean loses() {
        // placeholders are resolved, and checked, when the application starts
        return strategy()
                .filter(it -> KafkaStrategy.skips(
                        it,
                        it.contains("retryCountValue") ? Integer.MAX_VALUE : KafkaStrategy.retries(it),
                        it.stringValue("retryDelay").flatMap(Durations::parse)))
                .isPresent();
    }

    private Optional<AnnotationValue<Annotation>> strategy() {
        return listener.getAnnotation(LISTENER).getAnnotation("errorStrategy");
    }

    /**
     * Adds what the listener leaves out: an error strategy that retries a refused call and skips a message for any
     * other exception, a commit after each poll, and the group of the listener without the operation, whose class is the
     * source's. A commit after each message that fails would leave out the messages behind it.
     */
    public void complete() {
        if (!listener.hasAnnotation(LISTENER)) {
            return;
        }
        boolean offsets = listener.getAnnotation(LISTENER).contains("offsetStrategy");
        boolean strategy = strategy().isPresent();
        boolean grouped = !listener.stringValue(LISTENER, "groupId").orElse("").isEmpty();
        listener.annotate(LISTENER, builder -> {
            if (!offsets) {
                builder.member("offsetStrategy", "SYNC");
            }
            if (!strategy) {
                builder.member("errorStrategy", retryWhileRefused());
            }
            if (!grouped && !isIntercepted()) {
                builder.member(
                        "groupId",
                        "${" + KafkaStrategy.GROUP + ":" + operation.owner().getName() + "}");
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
                .flatMap(element -> element.getAnnotationValuesByName("io.micronaut.aop.InterceptorBinding").stream())
                .filter(binding -> binding.stringValue("kind").orElse("AROUND").equals("AROUND"))
                .flatMap(binding -> binding.stringValue().stream())
                .anyMatch(advice -> !advice.equals(IdempotentOperation.class.getName()));
    }
}

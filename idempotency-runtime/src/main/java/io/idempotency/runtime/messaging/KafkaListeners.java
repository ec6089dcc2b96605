package io.idempotency.runtime.messaging;

import io.idempotency.IdempotentOperation;
import io.idempotency.definition.AnnotatedBeans;
import io.idempotency.definition.KafkaStrategy;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.annotation.AnnotationValue;
import io.micronaut.inject.ExecutableMethod;
import jakarta.inject.Singleton;
import java.lang.annotation.Annotation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of Kafka listeners that lose messages. The compiler reports those that it recognises; how often they try again,
 * and of which topics they are, may be known only here.
 */
@Singleton
record KafkaListeners(AnnotatedBeans beans) implements ApplicationEventListener<StartupEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaListeners.class);

    /** Holds each {@code @Topic}, also a single one. */
    private static final String TOPICS = "io.micronaut.configuration.kafka.annotation.Topics";

    @Override
    public void onApplicationEvent(StartupEvent event) {
        beans.methods(IdempotentOperation.class).forEach(KafkaListeners::warn);
    }

    private static void warn(ExecutableMethod<?, ?> method) {
        AnnotationValue<?> listener = method.getAnnotation(KafkaStrategy.LISTENER);
        if (listener == null) {
            return;
        }
        String name = method.getDeclaringType().getName() + "." + method.getMethodName();
        listener.getAnnotation("errorStrategy")
                .filter(it -> known(() -> KafkaStrategy.skips(it, KafkaStrategy.retries(it), delay(it))))
                .ifPresent(strategy -> LOG.warn(
                        "The Kafka listener {} skips a message whose call is refused for a while (in progress, store"
                                + " unavailable, shutting down), and it is never handled: its error strategy is {}, with {}"
                                + " retries. Remove errorStrategy, and compile again: the compiler adds one that keeps such"
                                + " messages.",
                        name,
                        strategy.stringValue().orElse("NONE"),
                        KafkaStrategy.retries(strategy)));
        if (known(() -> hasSeveralTopics(method))) {
            LOG.warn(
                    "The Kafka listener {} reads several topics. Micronaut Kafka (its issue 1028) goes back on one topic only"
                            + " where a record's call is refused for a while: what the same poll brought of the others is"
                            + " lost. Write a method for each topic.",
                    name);
        }
    }

    private static Optional<Duration> delay(AnnotationValue<?> strategy) {
        return strategy.get("retryDelay", Duration.class).filter(it -> !it.isZero() && !it.isNegative());
    }

    private static boolean hasSeveralTopics(ExecutableMethod<?, ?> method) {
        List<AnnotationValue<Annotation>> topics = Optional.ofNullable(method.getAnnotation(TOPICS))
                .map(container -> container.getAnnotations("value"))
                .orElse(List.of());
        Stream<String> names = topics.stream()
                .flatMap(topic -> Stream.of(topic.stringValues()))
                .flatMap(it -> Stream.of(it.split(",")));
        return topics.stream().anyMatch(topic -> topic.stringValues("patterns").length > 0) || names.count() > 1;
    }

    /** Tells whether it is so; false where a placeholder has no value: where Kafka is switched off, it needs none. */
    private static boolean known(BooleanSupplier question) {
        try {
            return question.getAsBoolean();
        } catch (ConfigurationException e) {
            return false;
        }
    }
}

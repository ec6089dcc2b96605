package io.idempotency.runtime.messaging;

import io.idempotency.IdempotentOperation;
import io.idempotency.definition.AnnotatedBeans;
import io.idempotency.definition.KafkaStrategy;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.core.annotation.AnnotationValue;
import io.micronaut.inject.ExecutableMethod;
import jakarta.inject.Singleton;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of Kafka listeners whose error strategy loses messages. The compiler reports those that it recognises; the
 * number of retries may be known only here.
 */
@Singleton
record KafkaListeners(AnnotatedBeans beans) implements ApplicationEventListener<StartupEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaListeners.class);

    @Override
    public void onApplicationEvent(StartupEvent event) {
        beans.methods(IdempotentOperation.class).forEach(KafkaListeners::warn);
    }

    private static void warn(ExecutableMethod<?, ?> method) {
        AnnotationValue<?> listener = method.getAnnotation(KafkaStrategy.LISTENER);
        AnnotationValue<?> strategy = listener == null
                ? null
                : listener.getAnnotation("errorStrategy").orElse(null);
        if (strategy != null && KafkaStrategy.skips(strategy, KafkaStrategy.retries(strategy))) {
            LOG.warn(
                    "The Kafka listener {}.{} skips a message whose call is refused for a while (in progress, store"
                            + " unavailable, shutting down), and it is never handled: its error strategy is {}, with {}"
                            + " retries. Remove errorStrategy, and compile again: the compiler adds one that keeps such"
                            + " messages.",
                    method.getDeclaringType().getName(),
                    method.getMethodName(),
                    strategy.stringValue().orElse("NONE"),
                    KafkaStrategy.retries(strategy));
        }
    }
}

package io.idempotency.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.definition.KeySource;
import io.idempotency.definition.OperationDefinition;
import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Compiled;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Methods that nobody calls by hand: what listens, and what is scheduled. */
class ListenerBindingTest {

    /** Kafka's and RabbitMQ's annotations are made of this one; their own jars would start clients here. */
    private static final String LISTENER = """
            package demo;
            import java.lang.annotation.*;
            @io.micronaut.messaging.annotation.MessageListener
            @Retention(RetentionPolicy.RUNTIME)
            public @interface BrokerListener {}
            """;

    private static final String TOPIC = """
            package demo;
            import java.lang.annotation.*;
            @io.micronaut.messaging.annotation.MessageMapping
            @Retention(RetentionPolicy.RUNTIME)
            public @interface Topic { String value(); }
            """;

    private static OperationDefinition definitionOf(String... sources) {
        return Compilation.of(sources).load().definition();
    }

    @Test
    void aMessageListenersMethodIsAnOperationKeyedByItsMessage() {
        assertThat(definitionOf(LISTENER, TOPIC, """
                package demo;
                import io.idempotency.IdempotentOperation;
                @BrokerListener
                public class Listener {
                    public record Event(String id, int amount) {}
                    @Topic("payments")
                    @IdempotentOperation(value = "receive-payment", key = "event.id")
                    public void receive(Event event) {}
                }
                """))
                .extracting(OperationDefinition::name, OperationDefinition::keySource)
                .containsExactly("receive-payment", KeySource.PARAMETERS);
    }

    /** A broker counts deliveries in them: x-delivery-count, x-death. */
    @Test
    void theHeadersOfARabbitMessageMakeNoDifference() {
        Compiled listener = Compilation.of("""
                package io.micronaut.rabbitmq.annotation;
                import java.lang.annotation.*;
                @Retention(RetentionPolicy.RUNTIME)
                public @interface RabbitHeaders {}
                """, """
                package demo;
                import io.idempotency.IdempotentOperation;
                import io.micronaut.rabbitmq.annotation.RabbitHeaders;
                import java.util.Map;
                @jakarta.inject.Singleton
                public class Listener {
                    @IdempotentOperation(value = "receive-payment", key = "id")
                    public void receive(String id, @RabbitHeaders Map<String, Object> headers) {}
                }
                """).load();

        assertThat(listener.fingerprint("p-1", Map.of("x-delivery-count", 1)))
                .isEqualTo(listener.fingerprint("p-1", Map.of()))
                .isNotEqualTo(listener.fingerprint("p-2", Map.of()));
    }

    @Test
    void aScheduledMethodIsAnOperation() {
        assertThat(definitionOf("""
                package demo;
                import io.idempotency.IdempotentOperation;
                import io.micronaut.scheduling.annotation.Scheduled;
                @jakarta.inject.Singleton
                public class Job {
                    @Scheduled(cron = "0 0 1 * * ?")
                    @IdempotentOperation("close-day")
                    public void closeDay() {}
                }
                """))
                .extracting(OperationDefinition::name, OperationDefinition::keySource)
                .containsExactly("close-day", KeySource.ARGUMENTS);
    }
}

package io.idempotency.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.definition.KeySource;
import io.idempotency.definition.OperationDefinition;
import io.idempotency.processor.compile.Compilation;
import org.junit.jupiter.api.Test;

/** Methods that nobody calls by hand: what listens, and what is scheduled. */
class ListenerBindingTest {

    private static OperationDefinition definitionOf(String bean) {
        return Compilation.of(bean).load().definition();
    }

    @Test
    void aKafkaListenersMethodIsAnOperationKeyedByItsMessage() {
        assertThat(definitionOf("""
                package demo;
                import io.idempotency.IdempotentOperation;
                import io.micronaut.configuration.kafka.annotation.*;
                @KafkaListener(groupId = "payments")
                public class Listener {
                    public record Event(String id, int amount) {}
                    @Topic("payments")
                    @IdempotentOperation(value = "receive-payment", key = "event.id")
                    public void receive(@KafkaKey String key, Event event) {}
                }
                """))
                .extracting(OperationDefinition::name, OperationDefinition::keySource)
                .containsExactly("receive-payment", KeySource.PARAMETERS);
    }

    @Test
    void aRabbitListenersMethodIsAnOperationKeyedByItsMessage() {
        assertThat(definitionOf("""
                package demo;
                import io.idempotency.IdempotentOperation;
                import io.micronaut.rabbitmq.annotation.*;
                @RabbitListener
                public class Listener {
                    public record Event(String id, int amount) {}
                    @Queue("payments")
                    @IdempotentOperation(value = "receive-payment", key = "event.id")
                    public void receive(Event event) {}
                }
                """))
                .extracting(OperationDefinition::name, OperationDefinition::keySource)
                .containsExactly("receive-payment", KeySource.PARAMETERS);
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

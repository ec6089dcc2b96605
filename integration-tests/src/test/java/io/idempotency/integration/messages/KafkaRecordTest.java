package io.idempotency.integration.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotentOperation;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** Kafka's own record as the parameter of an operation. */
@MicronautTest(startApplication = false)
@Property(name = "test.kafka-record", value = "true")
@Property(name = "idempotency.store", value = "memory")
class KafkaRecordTest {

    record Order(String id) {}

    @Singleton
    @Requires(property = "test.kafka-record")
    static class Orders {

        private int bodies;

        @IdempotentOperation(value = "kafka-record", key = "message.value.id")
        public int take(ConsumerRecord<String, Order> message) {
            return ++bodies;
        }
    }

    @Inject
    Orders orders;

    /** Headers that describe the delivery, such as a trace, are no part of what the message asks for. */
    @Test
    void aRecordWithHeadersIsTakenOnceWhateverTheHeadersSay() {
        assertThat(orders.take(withTrace("first"))).isEqualTo(1);
        assertThat(orders.take(withTrace("second"))).isEqualTo(1);
    }

    private static ConsumerRecord<String, Order> withTrace(String trace) {
        ConsumerRecord<String, Order> message = new ConsumerRecord<>("orders", 0, 7, "o-1", new Order("o-1"));
        message.headers().add("traceparent", trace.getBytes(StandardCharsets.UTF_8));
        return message;
    }
}

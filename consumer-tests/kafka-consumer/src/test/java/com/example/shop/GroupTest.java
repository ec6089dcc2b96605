package com.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.micronaut.configuration.kafka.annotation.KafkaListener;
import io.micronaut.context.ApplicationContext;
import io.micronaut.inject.ExecutableMethod;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A listener that becomes an operation reads on where it stood. */
class GroupTest {

    private static Optional<String> group(Map<String, Object> properties) {
        try (ApplicationContext context = ApplicationContext.run(properties)) {
            ExecutableMethod<?, ?> listener = context.getBeanDefinition(OrderEvents.class)
                    .getRequiredMethod("receive", OrderPlaced.class);
            return listener.getAnnotation(KafkaListener.class).stringValue("groupId");
        }
    }

    @Test
    void itsGroupIsTheApplicationsNameAsMicronautWritesIt() {
        assertEquals(
                Optional.of("order-service"),
                group(Map.of("kafka.enabled", false, "micronaut.application.name", "orderService")));
    }

    @Test
    void orElseItsClass() {
        assertEquals(Optional.of("com.example.shop.OrderEvents"), group(Map.of("kafka.enabled", false)));
    }
}

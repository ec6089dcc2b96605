package com.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.idempotency.IdempotentOperation;
import io.micronaut.configuration.kafka.annotation.ErrorStrategy;
import io.micronaut.configuration.kafka.annotation.ErrorStrategyValue;
import io.micronaut.configuration.kafka.annotation.KafkaListener;
import io.micronaut.configuration.kafka.annotation.Topic;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** How often a listener tries a message again, and what it listens to, may be known at the start only. */
class StrategyWarningTest {

    @KafkaListener(
            errorStrategy =
                    @ErrorStrategy(
                            value = ErrorStrategyValue.RETRY_ON_ERROR,
                            retryCountValue = "${audit.retries}",
                            retryDelay = "${audit.delay:1s}"))
    @Requires(property = "audit.retries")
    static class Audits {

        @Topic("${audit.topics}")
        @IdempotentOperation(value = "audit-order", key = "order.orderId")
        void receive(OrderPlaced order) {}
    }

    private static List<String> warnings(int retries, String property, String value) {
        Logger logger = (Logger) LoggerFactory.getLogger("io.idempotency.runtime.messaging");
        ListAppender<ILoggingEvent> appender = new ListAppender<>();
        appender.start();
        logger.addAppender(appender);
        try (ApplicationContext context =
                ApplicationContext.run(Map.of("kafka.enabled", false, "audit.retries", retries, property, value))) {
            return appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
        } finally {
            logger.detachAppender(appender);
        }
    }

    @Test
    void aStrategyThatEndsBeforeARefusalDoesIsWarnedOf() {
        List<String> warnings = warnings(3, "audit.delay", "0s");
        assertEquals(1, warnings.size(), warnings.toString());
        assertTrue(warnings.get(0).contains("Audits.receive"), warnings.toString());
        assertTrue(warnings.get(0).contains("RETRY_ON_ERROR, with 3 retries"), warnings.toString());
    }

    @Test
    void aStrategyThatTriesLongEnoughIsNot() {
        assertEquals(List.of(), warnings(5000, "audit.delay", "50ms"));
        assertEquals(List.of(), warnings(20, "audit.delay", "5s"));
    }

    @Test
    void oneThatTriesOftenButNotLongIsWarnedOf() {
        List<String> warnings = warnings(200, "audit.delay", "50ms");
        assertEquals(1, warnings.size(), warnings.toString());
        assertTrue(warnings.get(0).contains("with 200 retries"), warnings.toString());
    }

    /** Without Kafka, its placeholders need no values. */
    @Test
    void aPlaceholderWithoutAValueStopsNoStart() {
        assertEquals(List.of(), warnings(5000, "audit.nothing", "else"));
    }

    @Test
    void severalTopicsInOnePropertyAreWarnedOf() {
        List<String> warnings = warnings(5000, "audit.topics", "audits,reviews");
        assertEquals(1, warnings.size(), warnings.toString());
        assertTrue(warnings.get(0).contains("Audits.receive reads several topics"), warnings.toString());
    }
}

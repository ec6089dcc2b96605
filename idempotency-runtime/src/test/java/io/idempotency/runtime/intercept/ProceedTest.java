package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.idempotency.IdempotencyStoreUnavailableException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micronaut.context.ApplicationContext;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A store that is down from the start, by configuration alone. */
class ProceedTest {

    private static ApplicationContext application(Map<String, Object> more) {
        Map<String, Object> properties = new HashMap<>(more);
        properties.put("test.down", true);
        properties.put("idempotency.shutdown-timeout", "0s");
        properties.put("idempotency.store", "memory");
        properties.put("idempotency.operations.notify-all.store", "down");
        return ApplicationContext.builder()
                .properties(properties)
                .singletons(new SimpleMeterRegistry())
                .start();
    }

    @Test
    void withoutAWordAStoreThatIsDownKeepsTheBodyFromRunning() {
        try (ApplicationContext context = application(Map.of())) {
            OrderService service = context.getBean(OrderService.class);
            assertThatThrownBy(() -> service.nothing("1")).isInstanceOf(IdempotencyStoreUnavailableException.class);
            assertThat(service.bodies).hasValue(0);
        }
    }

    @Test
    void anOperationThatProceedsIsNamedAtStartUpAndItsCallsAreCounted() {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.list = new CopyOnWriteArrayList<>(); // background jobs log while the test reads
        log.start();
        Logger library = (Logger) LoggerFactory.getLogger("io.idempotency");
        library.addAppender(log);
        try (ApplicationContext context =
                application(Map.of("idempotency.operations.notify-all.on-store-failure", "PROCEED"))) {
            assertThat(log.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .anyMatch(line -> line.startsWith("on-store-failure is PROCEED for [notify-all]"))
                    .filteredOn(line -> line.contains("'memory' protects this JVM only"))
                    .hasSize(1);
            OrderService service = context.getBean(OrderService.class);
            service.nothing("1");
            service.nothing("1");
            assertThat(service.bodies).hasValue(2);
            assertThat(context.getBean(MeterRegistry.class)
                            .timer(
                                    "idempotency.calls",
                                    "operation",
                                    "notify-all",
                                    "store",
                                    "down",
                                    "outcome",
                                    "proceeded")
                            .count())
                    .isEqualTo(2);
        } finally {
            library.detachAppender(log);
        }
    }
}

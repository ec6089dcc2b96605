package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotencyStoreUnavailableException;
import io.idempotency.test.logs.LogLines;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micronaut.context.ApplicationContext;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

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
        try (LogLines log = LogLines.ofLibrary();
                ApplicationContext context =
                        application(Map.of("idempotency.operations.notify-all.on-store-failure", "PROCEED"))) {
            assertThat(log.messages())
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
        }
    }
}

package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.Refusal;
import io.idempotency.runtime.engine.StandingTime;
import io.micronaut.context.ApplicationContext;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Callers with many keys cannot fill the heap. */
class MemoryLimitTest {

    private static ApplicationContext application(Map<String, Object> properties) {
        return ApplicationContext.run(properties);
    }

    @Test
    void oneKeyMoreThanTheLimitIsRefusedAndWhatIsRememberedIsReplayed() {
        try (ApplicationContext context =
                application(Map.of("idempotency.store", "memory", "idempotency.memory.max-records", 2))) {
            OrderService service = context.getBean(OrderService.class);
            service.nothing("1");
            service.nothing("2");
            assertThatThrownBy(() -> service.nothing("3"))
                    .hasFieldOrPropertyWithValue("refusal", Refusal.TOO_MANY_RECORDS)
                    .hasMessageContaining("idempotency.memory.max-records")
                    .hasMessageContaining("the body did not run");
            service.nothing("1");
            assertThat(service.bodies).hasValue(2);
        }
    }

    /** The store is not down: nothing speaks for running without protection. */
    @Test
    void proceedingDoesNotPassTheLimit() {
        try (ApplicationContext context = application(Map.of(
                "idempotency.store", "memory",
                "idempotency.memory.max-records", 1,
                "idempotency.on-store-failure", "PROCEED"))) {
            OrderService service = context.getBean(OrderService.class);
            service.nothing("1");
            assertThatThrownBy(() -> service.nothing("2"))
                    .hasFieldOrPropertyWithValue("refusal", Refusal.TOO_MANY_RECORDS);
            assertThat(service.bodies).hasValue(1);
        }
    }

    @Test
    void expiredRecordsMakeRoom() {
        try (ApplicationContext context = application(Map.of(
                "idempotency.store",
                "memory",
                "idempotency.memory.max-records",
                1,
                "idempotency.retention",
                "1h",
                "idempotency.purge.enabled",
                false,
                "test.standing-time",
                true))) {
            OrderService service = context.getBean(OrderService.class);
            service.nothing("1");
            assertThatThrownBy(() -> service.nothing("2"))
                    .hasFieldOrPropertyWithValue("refusal", Refusal.TOO_MANY_RECORDS);
            context.getBean(StandingTime.class).skip(Duration.ofHours(1).plusMillis(1));
            service.nothing("2");
            assertThat(service.bodies).hasValue(2);
        }
    }

    @Test
    void limitThatCannotBeMeantStopsTheStart() {
        assertThatThrownBy(
                        () -> application(Map.of("idempotency.store", "memory", "idempotency.memory.max-records", 0)))
                .hasStackTraceContaining("idempotency.memory.max-records: 0 is less than 1");
    }
}

package io.idempotency.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotentOperation;
import io.idempotency.runtime.purge.PurgeListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IdempotencyMetersTest {

    /** A registry and a bean to count. */
    @Factory
    @Requires(property = "test.meters")
    static class Registry {
        @Singleton
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }
    }

    @Singleton
    @Requires(property = "test.meters")
    static class Mailer {
        @IdempotentOperation(value = "send-mail", key = "id")
        public void send(String id, boolean fail) {
            if (fail) {
                throw new IllegalStateException("no such address");
            }
        }
    }

    private static double calls(MeterRegistry registry, String outcome) {
        return registry.counter("idempotency.calls", "operation", "send-mail", "outcome", outcome)
                .count();
    }

    @Test
    void callsAreCountedByWhatTheyComeToAndPurgedRecordsByStore() {
        try (ApplicationContext context =
                ApplicationContext.run(Map.of("test.meters", true, "idempotency.store", "memory"))) {
            Mailer mailer = context.getBean(Mailer.class);
            mailer.send("1", false);
            mailer.send("1", false);
            mailer.send("1", false);
            assertThatThrownBy(() -> mailer.send("1", true)).isNotNull();
            assertThatThrownBy(() -> mailer.send("2", true)).isNotNull();
            assertThatThrownBy(() -> mailer.send("2", true)).isNotNull();
            context.getBean(PurgeListener.class).onPurged("memory", 7);

            MeterRegistry registry = context.getBean(MeterRegistry.class);
            assertThat(calls(registry, "executed")).isEqualTo(1);
            assertThat(calls(registry, "replayed")).isEqualTo(2);
            assertThat(calls(registry, "key-reused")).isEqualTo(1);
            assertThat(calls(registry, "failed-final")).isEqualTo(1);
            assertThat(calls(registry, "previous-attempt-failed")).isEqualTo(1);
            assertThat(registry.counter("idempotency.purged", "store", "memory").count())
                    .isEqualTo(7);
        }
    }
}

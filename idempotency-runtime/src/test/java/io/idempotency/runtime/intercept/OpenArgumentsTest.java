package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotencyKeyReusedException;
import io.idempotency.IdempotentOperation;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Arguments whose types do not say what they hold. */
@MicronautTest
class OpenArgumentsTest {

    @Inject
    Events events;

    @Singleton
    static class Events {
        final AtomicInteger bodies = new AtomicInteger();

        @IdempotentOperation(value = "handle-event", key = "id")
        public int handle(String id, Map<String, Object> data) {
            return bodies.incrementAndGet();
        }

        @IdempotentOperation("handle-anything")
        public int handle(Object anything) {
            return bodies.incrementAndGet();
        }
    }

    @Test
    void aRetryWithEqualDataIsReplayedAndAnyOtherIsRefused() {
        int first = events.handle("e-1", Map.of("amount", 1.50, "to", Map.of("name", "n")));

        assertThat(events.handle("e-1", new TreeMap<>(Map.of("to", Map.of("name", "n"), "amount", 1.5))))
                .isEqualTo(first);
        assertThatThrownBy(() -> events.handle("e-1", Map.of("amount", 1.50, "to", Map.of("name", "m"))))
                .isInstanceOf(IdempotencyKeyReusedException.class);
    }

    @Test
    void theValueItselfCanBeTheKey() {
        assertThat(events.handle(Map.of("a", 1))).isEqualTo(events.handle(Map.of("a", 1)));
        assertThat(events.handle(Map.of("a", 1))).isNotEqualTo(events.handle(Map.of("a", 2)));
    }

    @Test
    void whatCannotBeWrittenIsRefusedBeforeAnythingIsClaimed() {
        int before = events.bodies.get();

        assertThatThrownBy(() -> events.handle("e-2", Map.of("a", new Object())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Idempotent operation 'handle-event': ")
                .hasMessageContaining("The body did not run");
        assertThat(events.bodies).hasValue(before);

        assertThat(events.handle("e-2", Map.of("a", "mended"))).isEqualTo(before + 1);
    }
}

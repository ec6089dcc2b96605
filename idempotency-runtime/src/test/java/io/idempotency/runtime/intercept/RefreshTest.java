package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotentOperation;
import io.idempotency.OperationInProgressException;
import io.idempotency.runtime.CallerResolver;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.env.PropertySource;
import io.micronaut.runtime.context.scope.refresh.RefreshEvent;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Properties that change while the application runs: what a key means does not, and calls that run go on. */
class RefreshTest {

    private final ApplicationContext context = ApplicationContext.run(Map.of("test.refresh", true));
    private final Shipments shipments = context.getBean(Shipments.class);

    @AfterEach
    void close() {
        context.close();
    }

    @Singleton
    @Requires(property = "test.refresh")
    static class Alice implements CallerResolver {
        @Override
        public String currentCaller() {
            return "alice";
        }
    }

    @Singleton
    @Requires(property = "test.refresh")
    static class Shipments {
        final AtomicInteger bodies = new AtomicInteger();
        final CompletableFuture<String> answer = new CompletableFuture<>();

        @IdempotentOperation(value = "ship", key = "order")
        String ship(String order) {
            return order + " #" + bodies.incrementAndGet();
        }

        @IdempotentOperation(value = "ship-later", key = "order")
        CompletionStage<String> later(String order) {
            bodies.incrementAndGet();
            return answer;
        }
    }

    private void change(String property, String value) {
        Map<String, Object> changed = Map.of(property, value);
        context.getEnvironment().addPropertySource(PropertySource.of("changed", changed, Integer.MAX_VALUE));
        Map<String, Object> differences = context.getEnvironment().refreshAndDiff();
        context.publishEvent(new RefreshEvent(differences));
        context.publishEvent(new RefreshEvent(changed));
        assertThat(context.getEnvironment().getProperty(property, String.class)).contains(value);
    }

    @ParameterizedTest
    @CsvSource({
        "idempotency.other-callers, ISOLATE",
        "idempotency.other-callers, FORBID",
        "idempotency.operations.ship.other-callers, ISOLATE",
        "idempotency.key-format, UUID",
        "idempotency.key-required, false",
        "idempotency.enabled, false",
        "idempotency.store, other",
        "idempotency.retention, 1ms",
        "idempotency.derived-key-secret, another-secret-of-more-than-32-characters",
        "idempotency.operations.ship.lease, 10ms"
    })
    void aKeyMeansWhatItMeantBefore(String property, String value) {
        String first = shipments.ship("o");
        change(property, value);
        assertThat(shipments.ship("o")).isEqualTo(first);
        assertThat(shipments.ship("p")).isEqualTo("p #2").isEqualTo(shipments.ship("p"));
        assertThat(shipments.bodies).hasValue(2);
    }

    @Test
    void aCallThatRunsIsRecordedAndItsDuplicatesAreHeldOff() {
        CompletableFuture<String> first = shipments.later("o").toCompletableFuture();
        change("idempotency.operations.ship-later.other-callers", "ISOLATE");
        change("idempotency.lease", "20ms");
        assertThatThrownBy(() -> shipments.later("o").toCompletableFuture().join())
                .hasCauseInstanceOf(OperationInProgressException.class);
        shipments.answer.complete("shipped");
        assertThat(first.join()).isEqualTo("shipped");
        assertThat(shipments.later("o").toCompletableFuture().join()).isEqualTo("shipped");
        assertThat(shipments.bodies).hasValue(1);
    }
}

package io.idempotency.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotentOperation;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.configuration.metrics.binder.executor.ExecutorServiceMetricsBinder;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Micronaut's own Micrometer module wraps every executor bean. */
@MicronautTest(startApplication = false)
@Property(name = "micronaut.metrics.enabled", value = "true")
@Property(name = "idempotency.store", value = "memory")
@Property(name = "test.micrometer-module", value = "true")
class MicrometerModuleTest {

    /** Counts its calls. */
    @Singleton
    @Requires(property = "test.micrometer-module")
    static class Shop {
        private final AtomicInteger sold = new AtomicInteger();

        @IdempotentOperation(value = "sell-measured", key = "id")
        public CompletionStage<Integer> sell(String id) {
            return CompletableFuture.supplyAsync(sold::incrementAndGet);
        }
    }

    @Inject
    Shop shop;

    @Inject
    MeterRegistry registry;

    @Inject
    ExecutorServiceMetricsBinder wraps;

    @Test
    void theApplicationStartsAndItsCallsAreCounted() throws Exception {
        assertThat(wraps).as("the module is at work").isNotNull();
        for (int call = 0; call < 3; call++) {
            assertThat(shop.sell("1").toCompletableFuture().get(30, TimeUnit.SECONDS))
                    .isEqualTo(1);
        }
        assertThat(registry.timer(
                                "idempotency.calls",
                                "operation",
                                "sell-measured",
                                "store",
                                "memory",
                                "outcome",
                                "executed")
                        .count())
                .isEqualTo(1);
        assertThat(registry.timer(
                                "idempotency.calls",
                                "operation",
                                "sell-measured",
                                "store",
                                "memory",
                                "outcome",
                                "replayed")
                        .count())
                .isEqualTo(2);
    }
}

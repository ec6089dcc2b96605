package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotentOperation;
import io.idempotency.runtime.store.IdempotencyStore;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Some operation's records are on a server, whose time stands still for the test. */
@MicronautTest
@IdempotencyTest
@Property(name = "idempotency.store", value = "memory")
@Property(name = "test.skipped-stores", value = "true")
class SkippedStoresTest {

    @Factory
    @Requires(property = "test.skipped-stores")
    static class Beans {

        @Singleton
        @Named("map")
        IdempotencyStore map() {
            return new MapStore(new ConcurrentHashMap<>(), Clock.systemUTC());
        }
    }

    @Singleton
    @Requires(property = "test.skipped-stores")
    static class Payments {

        @IdempotentOperation(value = "skipped-store", key = "order", store = "map")
        String charge(String order) {
            return order;
        }
    }

    @Inject
    IdempotencyTestKit kit;

    @Test
    void timeIsNotSkippedForSomeOperationsOnly() {
        assertThatThrownBy(() -> kit.skip(Duration.ofSeconds(31)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Store 'map' goes by the clock of its server");
    }
}

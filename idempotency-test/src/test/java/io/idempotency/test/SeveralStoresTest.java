package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotentOperation;
import io.idempotency.runtime.store.ForwardingStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** One operation names another store than the default one. */
@MicronautTest
@IdempotencyTest
@Property(name = "test.several-stores", value = "true")
@Property(name = "idempotency.store", value = "memory")
class SeveralStoresTest {

    @Singleton
    @Named("elsewhere")
    @Requires(property = "test.several-stores")
    static class Elsewhere extends ForwardingStore {

        Elsewhere(@Named("memory") IdempotencyStore store) {
            super(store);
        }

        @Override
        public String name() {
            return "elsewhere";
        }
    }

    @Singleton
    @Requires(property = "test.several-stores")
    static class Payments {
        @IdempotentOperation(value = "kit-elsewhere", key = "order", store = "elsewhere")
        public int charge(String order) {
            return 1;
        }
    }

    @Inject
    IdempotencyTestKit kit;

    @Test
    void timeIsNotSkippedForOnlySomeOfThem() {
        assertThatThrownBy(() -> kit.skip(Duration.ofSeconds(31)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Store 'elsewhere' goes by the clock of its server")
                .hasMessageContaining("idempotency.operations.<name>.store=memory");
    }
}

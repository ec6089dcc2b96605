package io.idempotency.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.exceptions.ConfigurationException;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which store is chosen, and what is said when that is not clear. */
class StoresTest {

    /** Two shared stores, each on demand. */
    @Factory
    static class SharedStores {
        @Singleton
        @Named("alpha")
        @Requires(property = "test.alpha")
        MemoryIdempotencyStore alpha() {
            return new MemoryIdempotencyStore(InstantSource.system());
        }

        @Singleton
        @Named("beta")
        @Requires(property = "test.beta")
        MemoryIdempotencyStore beta() {
            throw new IllegalStateException("beta was created although nothing uses it");
        }
    }

    private static String chosen(Map<String, Object> properties, String expected) {
        try (ApplicationContext context = ApplicationContext.run(properties)) {
            Stores stores = context.getBean(Stores.class);
            return stores.standard() == stores.named(expected, "test") ? expected : "another";
        }
    }

    @Test
    void theOnlyStoreOnTheClassPathMayBeLeftOut() {
        assertThat(chosen(Map.of(), "memory")).isEqualTo("memory");
        assertThat(chosen(Map.of("test.alpha", true), "alpha")).isEqualTo("alpha");
    }

    @Test
    void thePropertyChoosesAmongSeveralAndTheOthersAreNotCreated() {
        assertThat(chosen(Map.of("test.alpha", true, "test.beta", true, "idempotency.store", "alpha"), "alpha"))
                .isEqualTo("alpha");
        assertThat(chosen(Map.of("test.alpha", true, "test.beta", true, "idempotency.store", "memory"), "memory"))
                .isEqualTo("memory");
    }

    @Test
    void severalStoresAndNoneChosenIsAnErrorThatNamesThemAndTheLineToWrite() {
        assertThatThrownBy(() -> chosen(Map.of("test.alpha", true, "test.beta", true), "alpha"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("alpha, beta")
                .hasMessageContaining("idempotency.store: alpha")
                .hasMessageContaining("idempotency.store: beta");
    }

    @Test
    void anUnknownNameIsAnErrorThatNamesThePropertyAndTheKnownOnes() {
        assertThatThrownBy(() -> chosen(Map.of("test.alpha", true, "idempotency.store", "alhpa"), "alpha"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("idempotency.store")
                .hasMessageContaining("'alhpa'")
                .hasMessageContaining("[alpha, memory]");
    }
}

package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.runtime.store.RecordId;
import io.micronaut.context.ApplicationContext;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Whoever knows a record's id does not know the keys that its operation sends on, where there is a secret. */
class DerivedKeySecretTest {

    private final String id = UUID.randomUUID().toString();

    private String derived(String secret) {
        try (ApplicationContext context = ApplicationContext.run(Map.of("idempotency.fingerprint.secret", secret))) {
            return context.getBean(OrderService.class).derives(id);
        }
    }

    @Test
    void aSecretKeysThemTheSameOnEveryNode() {
        String derived = derived("a secret of the application");
        assertThat(derived)
                .matches("[0-9a-f]{64}")
                .isEqualTo(derived("a secret of the application"))
                .isNotEqualTo(derived("another secret of the application"))
                .isNotEqualTo(RecordId.of("derives", null, null, id).derive("psp"));
    }

    @Test
    void aSecretThatCanBeGuessedStopsTheStart() {
        assertThatThrownBy(() -> derived("secret"))
                .hasStackTraceContaining("idempotency.fingerprint.secret: it has fewer than 16 characters")
                .hasMessageNotContaining("'secret'");
    }
}

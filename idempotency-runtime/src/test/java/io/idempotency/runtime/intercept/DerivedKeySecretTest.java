package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.micronaut.context.ApplicationContext;
import io.micronaut.inject.qualifiers.Qualifiers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Whoever knows a record's id does not know the keys that its operation sends on, where there is a secret. */
class DerivedKeySecretTest {

    private final String id = UUID.randomUUID().toString();

    private String derived(String secret) {
        try (ApplicationContext context =
                ApplicationContext.run(Map.of("idempotency.fingerprint.identity-secret", secret))) {
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

    private String markOfAlice(Map<String, Object> properties) {
        try (ApplicationContext context = ApplicationContext.run(properties)) {
            context.getBean(CallersTest.Who.class).caller.set("alice");
            context.getBean(OrderService.class).overloaded(id);
            IdempotencyStore store = context.getBean(IdempotencyStore.class, Qualifiers.byName("memory"));
            String fingerprint =
                    store.list(RecordState.COMPLETED, Duration.ZERO, 1).get(0).fingerprint();
            return fingerprint.substring(fingerprint.indexOf('~'));
        }
    }

    @Test
    void whoStealsTheStoreCannotTryWhichCallerAKeyBelongsTo() {
        Map<String, Object> plain = Map.of("test.callers", "true", "idempotency.other-callers", "forbid");
        Map<String, Object> secret = new HashMap<>(plain);
        secret.put("idempotency.fingerprint.secret", "a secret of the application");
        assertThat(markOfAlice(secret)).isEqualTo(markOfAlice(secret)).isNotEqualTo(markOfAlice(plain));
    }

    @Test
    void aSecretThatCanBeGuessedStopsTheStart() {
        assertThatThrownBy(() -> derived("secret"))
                .hasStackTraceContaining("idempotency.fingerprint.identity-secret: it has fewer than 16 characters")
                .hasMessageNotContaining("'secret'");
    }
}

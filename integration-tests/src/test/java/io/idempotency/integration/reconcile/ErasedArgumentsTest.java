package io.idempotency.integration.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.IdempotencyContext;
import io.idempotency.IdempotentOperation;
import io.idempotency.OnAbandoned;
import io.idempotency.Reconciles;
import io.idempotency.Reconciliation;
import io.idempotency.runtime.IdempotencyRecords;
import io.idempotency.runtime.reconcile.AbandonedReconciler;
import io.idempotency.runtime.store.StoredRecord;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** An operator erases a customer's data while runs of that page are looked for in the background. */
@MicronautTest(startApplication = false)
@Property(name = "test.erased-arguments", value = "true")
@Property(name = "idempotency.store", value = "memory")
@Property(name = "redis.enabled", value = "false")
@Property(name = "datasources.default.url", value = "jdbc:h2:mem:erased-arguments")
@Property(name = "idempotency.encryption.key", value = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
@Property(name = "idempotency.reconcile.interval", value = "300ms")
class ErasedArgumentsTest {

    private static final List<String> KEYS = List.of("a", "b", "c");

    @Inject
    Letters letters;

    @Inject
    Slow reconciler;

    @Inject
    IdempotencyRecords records;

    /** An operation whose claims keep their arguments. */
    @Singleton
    @Requires(property = "test.erased-arguments")
    static class Letters {
        @IdempotentOperation(
                value = "send-letter",
                key = "key",
                onAbandoned = OnAbandoned.RECONCILE,
                storeArguments = true)
        String send(String key, String address) throws TimeoutException {
            throw new TimeoutException();
        }

        /** Asked by calls only. */
        @Reconciles("send-letter")
        Reconciliation<String> find(String key, String address) {
            return Reconciliation.unknown("asked by a call");
        }
    }

    /** While it is asked for the first run, an operator erases the data of the others. */
    @Singleton
    @Requires(property = "test.erased-arguments")
    static class Slow implements AbandonedReconciler {
        final List<Map<String, Object>> asked = new CopyOnWriteArrayList<>();
        private final BeanProvider<IdempotencyRecords> records;

        Slow(BeanProvider<IdempotencyRecords> records) {
            this.records = records;
        }

        @Override
        public String operation() {
            return "send-letter";
        }

        @Override
        public Reconciliation<?> reconcile(IdempotencyContext context) {
            throw new AssertionError("asked without the arguments");
        }

        @Override
        public Reconciliation<?> reconcile(IdempotencyContext context, Map<String, Object> arguments) {
            if (asked.isEmpty()) {
                KEYS.stream()
                        .filter(key -> !key.equals(arguments.get("key")))
                        .map(key -> record(records.get(), key).id())
                        .forEach(id -> records.get().erase(id, "anna", "asked to be forgotten"));
            }
            asked.add(arguments);
            return Reconciliation.unknown("not delivered yet");
        }
    }

    @Test
    void whatWasErasedIsNeitherHandedOverNorStoredAgain() {
        for (String key : KEYS) {
            assertThatThrownBy(() -> letters.send(key, "Mill Lane")).isInstanceOf(TimeoutException.class);
        }
        await().until(() -> reconciler.asked.size() > 4);
        Object first = reconciler.asked.get(0).get("key");
        assertThat(reconciler.asked).allMatch(arguments -> arguments.isEmpty() || first.equals(arguments.get("key")));
        assertThat(KEYS)
                .filteredOn(key -> record(records, key).arguments() != null)
                .containsExactly((String) first);
    }

    private static StoredRecord record(IdempotencyRecords records, String key) {
        return records.find("send-letter", key, null).orElseThrow().record();
    }
}

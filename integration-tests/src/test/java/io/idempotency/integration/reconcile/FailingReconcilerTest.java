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
import io.idempotency.runtime.reconcile.ReconcileListener;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.test.logs.LogLines;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reconcilers and their listeners are foreign code: they throw whatever they like, and their texts name customers. */
@MicronautTest(startApplication = false)
@Property(name = "test.failing-reconciler", value = "true")
@Property(name = "idempotency.store", value = "memory")
@Property(name = "redis.enabled", value = "false")
@Property(name = "datasources.default.url", value = "jdbc:h2:mem:failing-reconciler")
@Property(name = "idempotency.reconcile.interval", value = "20ms")
class FailingReconcilerTest {

    private static final String SECRET = "jane@example.org";

    private final LogLines log = LogLines.ofLibrary();

    @Inject
    Payments payments;

    @Inject
    Failing failing;

    @Inject
    IdempotencyRecords records;

    /** The operation. */
    @Singleton
    @Requires(property = "test.failing-reconciler")
    static class Payments {
        @IdempotentOperation(value = "failing-search", key = "key", onAbandoned = OnAbandoned.RECONCILE)
        String pay(String key) throws TimeoutException {
            throw new TimeoutException();
        }

        /** Asked by calls only. */
        @Reconciles("failing-search")
        Reconciliation<String> find(String key) {
            return Reconciliation.unknown("asked by a call");
        }
    }

    /** Throws an exception, then an error, then knows; as a listener it always throws. */
    @Singleton
    @Requires(property = "test.failing-reconciler")
    static class Failing implements AbandonedReconciler, ReconcileListener {
        private final AtomicInteger asked = new AtomicInteger();
        private final AtomicInteger told = new AtomicInteger();

        @Override
        public String operation() {
            return "failing-search";
        }

        @Override
        public Reconciliation<?> reconcile(IdempotencyContext context) {
            switch (asked.incrementAndGet()) {
                case 1 -> throw new UnsupportedOperationException("no statement of " + SECRET);
                case 2 -> throw new StackOverflowError("too deep for " + SECRET);
                default -> {
                    return Reconciliation.done("paid");
                }
            }
        }

        @Override
        public void onReconciled(String operation, Answer answer) {
            told.incrementAndGet();
            throw new IllegalStateException("no mail to " + SECRET, new RuntimeException("for " + SECRET));
        }
    }

    @AfterEach
    void stopListening() {
        log.close();
    }

    @Test
    void whatTheyThrowEndsNoLookAndTheirTextsAreNotLogged() throws Exception {
        for (String key : new String[] {"a", "b"}) {
            assertThatThrownBy(() -> payments.pay(key)).isInstanceOf(TimeoutException.class);
        }
        await().until(() -> completed("a") && completed("b") && failing.told.get() > 3);
        assertThat(payments.pay("a")).isEqualTo("paid");
        assertThat(log.events())
                .noneMatch(event -> LogLines.text(event).contains(SECRET))
                .anyMatch(event -> LogLines.text(event).contains(IllegalStateException.class.getName()));
    }

    private boolean completed(String key) {
        return records.find("failing-search", key, null)
                .filter(found -> found.record().state() == RecordState.COMPLETED)
                .isPresent();
    }
}

package io.idempotency.integration.reconcile;

import io.idempotency.IdempotencyContext;
import io.idempotency.IdempotentOperation;
import io.idempotency.NotFingerprinted;
import io.idempotency.OnAbandoned;
import io.idempotency.Reconciles;
import io.idempotency.Reconciliation;
import io.idempotency.runtime.reconcile.AbandonedReconciler;
import io.idempotency.runtime.reconcile.ReconcileListener;
import io.micronaut.context.annotation.Requires;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;

/** Payments whose provider's answer is lost. */
final class LostPayments {

    /** What the provider knows, by the key that it was sent; shared by the nodes of a test. */
    static final Map<String, String> PROVIDER = new ConcurrentHashMap<>();

    private LostPayments() {}

    /** The operation. */
    @Singleton
    @Requires(property = "test.lost")
    static class Payments {
        @IdempotentOperation(value = "lost-payment", key = "key", onAbandoned = OnAbandoned.RECONCILE)
        public String pay(String key, boolean arrives) throws TimeoutException {
            String sent = IdempotencyContext.current().deriveKey("psp");
            if (PROVIDER.containsKey("calm")) {
                return "second";
            }
            PROVIDER.put(sent, arrives ? "paid" : "unknown");
            throw new TimeoutException();
        }

        /** Asked by calls only. */
        @Reconciles("lost-payment")
        Reconciliation<String> find(String key, boolean arrives) {
            return Reconciliation.unknown("asked by a call");
        }
    }

    /** An operation whose claims keep their arguments. */
    @Singleton
    @Requires(property = "test.lost")
    static class Transfers {
        @IdempotentOperation(
                value = "lost-transfer",
                key = "transfer.id",
                onAbandoned = OnAbandoned.RECONCILE,
                storeArguments = true)
        public String send(Transfer transfer, Optional<String> note, @NotFingerprinted String trace)
                throws TimeoutException {
            throw new TimeoutException();
        }

        /** Asked by calls only. */
        @Reconciles("lost-transfer")
        Reconciliation<String> find(Transfer transfer, Optional<String> note, String trace) {
            return Reconciliation.unknown("asked by a call");
        }
    }

    /** What is sent where. */
    @Serdeable
    record Transfer(String id, String iban, BigDecimal amount) {}

    /** Asks with the arguments, and learns the truth at the third time. */
    @Singleton
    @Requires(property = "test.lost")
    static class Statements implements AbandonedReconciler {
        final List<Map<String, Object>> asked = new CopyOnWriteArrayList<>();

        @Override
        public String operation() {
            return "lost-transfer";
        }

        @Override
        public Reconciliation<?> reconcile(IdempotencyContext context) {
            throw new AssertionError("asked without the arguments");
        }

        @Override
        public Reconciliation<?> reconcile(IdempotencyContext context, Map<String, Object> arguments) {
            asked.add(arguments);
            return asked.size() < 3
                    ? Reconciliation.unknown("not on the statement yet")
                    : Reconciliation.done("sent to " + ((Transfer) arguments.get("transfer")).iban());
        }
    }

    /** Asks without arguments. */
    @Singleton
    @Requires(property = "test.lost")
    static class Search implements AbandonedReconciler, ReconcileListener {
        final List<Long> fences = new CopyOnWriteArrayList<>();
        final List<Answer> answers = new CopyOnWriteArrayList<>();

        @Override
        public String operation() {
            return "lost-payment";
        }

        @Override
        public Reconciliation<?> reconcile(IdempotencyContext context) {
            fences.add(IdempotencyContext.current().fence());
            String known = PROVIDER.get(context.deriveKey("psp"));
            if (known == null) {
                return Reconciliation.absent();
            }
            return known.equals("paid") ? Reconciliation.done(known) : Reconciliation.unknown("not there yet");
        }

        @Override
        public void onReconciled(String operation, Answer answer) {
            answers.add(answer);
        }
    }
}

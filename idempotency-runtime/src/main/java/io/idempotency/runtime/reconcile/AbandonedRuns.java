package io.idempotency.runtime.reconcile;

import io.idempotency.IdempotencyContext;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.Reconciliation;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.engine.CallFingerprint;
import io.idempotency.runtime.engine.IdempotencyEngine;
import io.idempotency.runtime.engine.Invocation;
import io.idempotency.runtime.engine.Operation;
import io.idempotency.runtime.reconcile.ReconcileListener.Answer;
import io.idempotency.runtime.store.RecordQuery;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import io.micronaut.core.propagation.PropagatedContext;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks for abandoned runs as a new call with the same key would: the take-over claim decides which node asks, and raises the fence
 * before. Where the answer is <em>absent</em>, nobody is there to run the body, and the key becomes free.
 */
@Singleton
final class AbandonedRuns {

    private static final Logger LOG = LoggerFactory.getLogger(AbandonedRuns.class);

    private final IdempotencyEngine engine;
    private final List<ReconcileListener> listeners;

    AbandonedRuns(IdempotencyEngine engine, List<ReconcileListener> listeners) {
        this.engine = engine;
        this.listeners = List.copyOf(listeners);
    }

    /** One page, the longest abandoned first; a take-over puts a run behind the others. */
    void reconcile(Operation operation, AbandonedReconciler reconciler, Duration olderThan, int most) {
        RecordQuery query = new RecordQuery(RecordState.IN_DOUBT, operation.name(), olderThan, null, most);
        List<StoredRecord> abandoned =
                operation.store().list(query).toCompletableFuture().join();
        for (StoredRecord record : abandoned) {
            Outcome outcome = engine.execute(call(operation, reconciler, record));
            Answer answer = answer(outcome);
            LOG.info(
                    "Idempotent operation '{}' [key {}]: an abandoned run was looked for in the background: {}",
                    operation.name(),
                    record.id(),
                    answer);
            listeners.forEach(listener -> listener.onReconciled(operation.name(), answer));
        }
    }

    private static Invocation call(Operation operation, AbandonedReconciler reconciler, StoredRecord record) {
        return new Invocation(
                operation,
                record.id(),
                CallFingerprint.only(record.fingerprint()),
                AbandonedRuns::nothing,
                claim -> CompletableFuture.completedFuture(ask(reconciler, claim)));
    }

    /** In the place of a body: its arguments are not known, so it is left to the next call. */
    private static CompletionStage<Object> nothing(IdempotencyContext claim) {
        claim.noEffect();
        return CompletableFuture.completedFuture(null);
    }

    private static Reconciliation<?> ask(AbandonedReconciler reconciler, IdempotencyContext claim) throws Exception {
        try (PropagatedContext.Scope ignored =
                PropagatedContext.getOrEmpty().plus(claim).propagate()) {
            return reconciler.reconcile(claim);
        }
    }

    private static Answer answer(Outcome outcome) {
        if (outcome.recorded() == Outcome.Recorded.RELEASED) {
            return Answer.ABSENT;
        } else if (outcome instanceof Outcome.Replayed) {
            return Answer.DONE;
        }
        return outcome instanceof Outcome.Refused refused && refused.reason() instanceof OutcomeUnknownException
                ? Answer.UNKNOWN
                : Answer.PASSED_OVER;
    }
}

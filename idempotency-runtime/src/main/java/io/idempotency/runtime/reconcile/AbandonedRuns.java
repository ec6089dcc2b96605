package io.idempotency.runtime.reconcile;

import io.idempotency.IdempotencyContext;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.call.CallFingerprint;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.call.NewKeyAdmission;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.codec.ArgumentsCodec;
import io.idempotency.runtime.engine.IdempotencyEngine;
import io.idempotency.runtime.engine.Listeners;
import io.idempotency.runtime.management.AuditTrail;
import io.idempotency.runtime.reconcile.ReconcileListener.Answer;
import io.idempotency.runtime.store.RecordQuery;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks for abandoned runs as a new call with the same key would: the take-over claim decides which node asks, and raises the
 * fence before. The run stays in doubt; the answer settles it as an operator does, with a note in its audit trail, and only
 * while it is not taken over again. Where the answer is <em>absent</em>, there is no call to run the body, and the key becomes
 * free.
 */
@Singleton
final class AbandonedRuns {

    private static final Logger LOG = LoggerFactory.getLogger(AbandonedRuns.class);

    private final IdempotencyEngine engine;
    private final ArgumentsCodec arguments;
    private final AuditTrail trail;
    private final List<ReconcileListener> listeners;

    AbandonedRuns(
            IdempotencyEngine engine, ArgumentsCodec arguments, AuditTrail trail, List<ReconcileListener> listeners) {
        this.engine = engine;
        this.arguments = arguments;
        this.trail = trail;
        this.listeners = List.copyOf(listeners);
    }

    /** One page, the longest abandoned first; a take-over puts a run behind the others. */
    void reconcile(Operation operation, AbandonedReconciler reconciler, Duration olderThan, int most) {
        RecordQuery query = new RecordQuery(RecordState.IN_DOUBT, operation.name(), olderThan, null, most);
        List<StoredRecord> abandoned = operation.store().list(query);
        for (StoredRecord record : abandoned) {
            Finding finding = new Finding(operation, record, reconciler, arguments.in(operation, record));
            Outcome outcome = engine.execute(call(operation, record, finding));
            Answer answer = answer(outcome, finding);
            LOG.info(
                    "Idempotent operation '{}' [key {}]: an abandoned run was looked for in the background: {}",
                    operation.name(),
                    record.id(),
                    answer);
            Listeners.tell(listeners, operation.name(), listener -> listener.onReconciled(operation.name(), answer));
        }
    }

    /** What the run's claim kept stays with the claim under which is asked. */
    private static Invocation call(Operation operation, StoredRecord record, Finding finding) {
        return new Invocation(
                operation,
                record.id(),
                CallFingerprint.only(record.fingerprint()),
                AbandonedRuns::nothing,
                claim -> CompletableFuture.completedFuture(finding.ask(claim)),
                null,
                false,
                NewKeyAdmission.UNLIMITED, // its key is there
                record.arguments());
    }

    /** In the place of a body, where the record was forgotten since: there is nothing to find out. */
    private static CompletionStage<Object> nothing(IdempotencyContext claim) {
        claim.noEffect();
        return CompletableFuture.completedFuture(null);
    }

    private Answer answer(Outcome outcome, Finding finding) {
        boolean stillInDoubt =
                outcome instanceof Outcome.Refused refused && refused.reason() instanceof OutcomeUnknownException;
        return stillInDoubt && finding.asked() ? finding.settled(trail) : Answer.PASSED_OVER;
    }
}

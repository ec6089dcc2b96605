package io.idempotency.runtime.reconcile;

import io.idempotency.IdempotencyContext;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.Reconciliation;
import io.idempotency.runtime.IdempotencyRecords.AuditEntry;
import io.idempotency.runtime.IdempotencyRecords.Decision;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.answer.ResultEncoder;
import io.idempotency.runtime.call.CallFingerprint;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.call.NewKeyAdmission;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.codec.ArgumentsCodec;
import io.idempotency.runtime.engine.IdempotencyEngine;
import io.idempotency.runtime.engine.Listeners;
import io.idempotency.runtime.management.AuditTrail;
import io.idempotency.runtime.reconcile.ReconcileListener.Answer;
import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.RecordQuery;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
import io.micronaut.core.propagation.PropagatedContext;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a reconciler for abandoned runs, as a new call with the same key would: the take-over claim decides which node
 * asks, and raises the fence first. The run stays in doubt until the answer settles it, as an operator would, with a
 * note in its audit trail and only while it is not taken over again. After <em>absent</em> no call runs the body; the
 * key becomes free.
 */
@Singleton
record AbandonedRuns(
        IdempotencyEngine engine, ArgumentsCodec arguments, AuditTrail trail, List<ReconcileListener> listeners) {

    private static final Logger LOG = LoggerFactory.getLogger(AbandonedRuns.class);

    /** The actor in the audit trail of a run. */
    private static final String ACTOR = "background reconciliation";

    /** Reconciles one page of runs, the earliest claimed first. A take-over makes a run the latest. */
    void reconcile(Operation operation, AbandonedReconciler reconciler, Duration olderThan, int most) {
        RecordQuery query = new RecordQuery(RecordState.IN_DOUBT, operation.name(), olderThan, null, most);
        for (StoredRecord listed : operation.store().list(query)) {
            // asking for the runs before it took time, in which an operator may have erased its arguments
            Answer answer = operation
                    .store()
                    .find(listed.id())
                    .filter(record -> record.fence() == listed.fence())
                    .map(record -> reconcile(operation, reconciler, record))
                    .orElse(Answer.PASSED_OVER);
            LOG.info(
                    "Idempotent operation '{}' [key {}]: an abandoned run was looked for in the background: {}",
                    operation.name(),
                    listed.id(),
                    answer);
            Listeners.tell(listeners, operation.name(), listener -> listener.onReconciled(operation.name(), answer));
        }
    }

    /** What the reconciler found out, and the fence of the claim under which it was asked. */
    private record Finding(long fence, Reconciliation<?> found) {}

    /** Asks for one run under a claim, which keeps the arguments of the run's claim, and settles the run. */
    private Answer reconcile(Operation operation, AbandonedReconciler reconciler, StoredRecord record) {
        Map<String, @Nullable Object> kept = arguments.in(operation, record);
        AtomicReference<@Nullable Finding> asked = new AtomicReference<>();
        Outcome outcome = engine.execute(new Invocation(
                operation.withoutWaiting(), // duplicates wait for what the store says, not for this call's "unknown"
                record.id(),
                CallFingerprint.only(record.fingerprint()),
                AbandonedRuns::nothing,
                claim -> {
                    asked.set(new Finding(claim.fence(), Reconciliation.unknown("its reconciler failed")));
                    Reconciliation<?> found = ask(reconciler, claim, kept);
                    asked.set(new Finding(claim.fence(), found));
                    // the run stays in doubt whatever the answer, until it is settled with a note
                    return CompletableFuture.completedFuture(
                            found instanceof Reconciliation.Unknown<?>
                                    ? found
                                    : Reconciliation.unknown("found out in the background, and about to be settled"));
                },
                null,
                false,
                NewKeyAdmission.UNLIMITED, // the key has a record
                record.arguments()));
        boolean stillInDoubt =
                outcome instanceof Outcome.Refused refused && refused.reason() instanceof OutcomeUnknownException;
        Finding finding = asked.get(); // null where another owner was faster, or the store did not answer
        return stillInDoubt && finding != null ? settled(operation, reconciler, record, finding) : Answer.PASSED_OVER;
    }

    /** Replaces the body, in case the record is gone by now and there is nothing to find out. */
    private static CompletionStage<Object> nothing(IdempotencyContext claim) {
        claim.noEffect();
        return CompletableFuture.completedFuture(null);
    }

    private static Reconciliation<?> ask(
            AbandonedReconciler reconciler, IdempotencyContext claim, Map<String, @Nullable Object> arguments)
            throws Exception {
        try (PropagatedContext.Scope ignored =
                PropagatedContext.getOrEmpty().plus(claim).propagate()) {
            Reconciliation<?> answer = reconciler.reconcile(claim, arguments);
            return answer == null ? Reconciliation.unknown("its reconciler answered null") : answer;
        }
    }

    /** Settles a run by the reconciler's answer, unless the run was taken over meanwhile. */
    private Answer settled(Operation operation, AbandonedReconciler reconciler, StoredRecord record, Finding finding) {
        if (finding.found() instanceof Reconciliation.Unknown<?>) {
            return Answer.UNKNOWN;
        }
        boolean done = finding.found() instanceof Reconciliation.Done<?>;
        AuditNote note = trail.note(
                record,
                new Decision(
                        finding.fence(),
                        done ? AuditEntry.Outcome.COMPLETED : AuditEntry.Outcome.ABSENT,
                        null,
                        ACTOR,
                        reconciler.getClass().getSimpleName() + " was asked and answered "
                                + (done ? "done" : "absent")));
        Duration retention = operation.policy().retention();
        Function<Resolution, Settled> resolve =
                resolution -> operation.store().resolve(record.id(), finding.fence(), resolution, note);
        Settled settled = finding.found() instanceof Reconciliation.Done<?> known
                ? ResultEncoder.recorded(
                        operation,
                        record.id(),
                        known.result(),
                        result -> resolve.apply(new Resolution.Complete(result, retention)))
                : resolve.apply(new Resolution.Forget());
        return !(settled instanceof Settled.Applied) ? Answer.PASSED_OVER : done ? Answer.DONE : Answer.ABSENT;
    }
}

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
import io.idempotency.runtime.store.RecordQuery;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.ResultRejectedException;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.micronaut.core.propagation.PropagatedContext;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
final class AbandonedRuns {

    private static final Logger LOG = LoggerFactory.getLogger(AbandonedRuns.class);

    /** The actor in the audit trail of a run. */
    private static final String ACTOR = "background reconciliation";

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

    /** Reconciles one page of runs, the earliest claimed first. A take-over makes a run the latest. */
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

    /** Returns the call that asks. Its claim keeps the arguments of the run's claim. */
    private static Invocation call(Operation operation, StoredRecord record, Finding finding) {
        return new Invocation(
                operation,
                record.id(),
                CallFingerprint.only(record.fingerprint()),
                AbandonedRuns::nothing,
                claim -> CompletableFuture.completedFuture(finding.ask(claim)),
                null,
                false,
                NewKeyAdmission.UNLIMITED, // the key has a record
                record.arguments());
    }

    /** Replaces the body, in case the record is gone by now and there is nothing to find out. */
    private static CompletionStage<Object> nothing(IdempotencyContext claim) {
        claim.noEffect();
        return CompletableFuture.completedFuture(null);
    }

    private Answer answer(Outcome outcome, Finding finding) {
        boolean stillInDoubt =
                outcome instanceof Outcome.Refused refused && refused.reason() instanceof OutcomeUnknownException;
        return stillInDoubt && finding.asked() ? finding.settled(trail) : Answer.PASSED_OVER;
    }

    /** Asks for one abandoned run and settles that run. Used by one thread. */
    private static final class Finding {

        private final Operation operation;
        private final StoredRecord record;
        private final AbandonedReconciler reconciler;
        private final Map<String, @Nullable Object> arguments;
        private @Nullable Reconciliation<?> found;
        private long fence;

        Finding(
                Operation operation,
                StoredRecord record,
                AbandonedReconciler reconciler,
                Map<String, @Nullable Object> arguments) {
            this.operation = operation;
            this.record = record;
            this.reconciler = reconciler;
            this.arguments = arguments;
        }

        /** Asks under a claim. Leaves the run in doubt whatever the answer: {@link #settled} settles it with a note. */
        Reconciliation<?> ask(IdempotencyContext claim) throws Exception {
            fence = claim.fence();
            try (PropagatedContext.Scope ignored =
                    PropagatedContext.getOrEmpty().plus(claim).propagate()) {
                Reconciliation<?> answer = reconciler.reconcile(claim, arguments);
                found = answer == null ? Reconciliation.unknown("its reconciler answered null") : answer;
                return found instanceof Reconciliation.Unknown<?> unknown
                        ? unknown
                        : Reconciliation.unknown("found out in the background, and about to be settled");
            }
        }

        /** Tells whether this node asked: another owner may have been faster, or the store did not answer. */
        boolean asked() {
            return fence > 0;
        }

        /** Settles the run by the reconciler's answer, unless the run was taken over meanwhile. */
        Answer settled(AuditTrail trail) {
            if (found instanceof Reconciliation.Done<?> done) {
                StoredResult result = ResultEncoder.of(operation, record.id(), done.result());
                return resolved(trail, AuditEntry.Outcome.COMPLETED, completed(result))
                        ? Answer.DONE
                        : Answer.PASSED_OVER;
            } else if (found instanceof Reconciliation.Absent<?>) {
                return resolved(trail, AuditEntry.Outcome.ABSENT, new Resolution.Forget())
                        ? Answer.ABSENT
                        : Answer.PASSED_OVER;
            }
            return Answer.UNKNOWN;
        }

        private Resolution.Complete completed(StoredResult result) {
            return new Resolution.Complete(result, operation.policy().retention());
        }

        private boolean resolved(AuditTrail trail, AuditEntry.Outcome outcome, Resolution resolution) {
            String reason = reconciler.getClass().getSimpleName() + " was asked and answered "
                    + (outcome == AuditEntry.Outcome.ABSENT ? "absent" : "done");
            try {
                Settled settled = operation
                        .store()
                        .resolve(
                                record.id(),
                                fence,
                                resolution,
                                trail.note(record, new Decision(fence, outcome, null, ACTOR, reason)));
                return settled instanceof Settled.Applied;
            } catch (ResultRejectedException rejected) {
                if (resolution instanceof Resolution.Complete complete
                        && complete.result() instanceof StoredResult.Present present) {
                    return resolved(
                            trail,
                            outcome,
                            completed(ResultEncoder.rejected(operation, record.id(), present, rejected)));
                }
                throw rejected;
            }
        }
    }
}

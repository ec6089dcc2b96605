package io.idempotency.runtime.reconcile;

import io.idempotency.IdempotencyContext;
import io.idempotency.Reconciliation;
import io.idempotency.runtime.IdempotencyRecords.AuditEntry;
import io.idempotency.runtime.IdempotencyRecords.Decision;
import io.idempotency.runtime.answer.ResultEncoder;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.management.AuditTrail;
import io.idempotency.runtime.reconcile.ReconcileListener.Answer;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.ResultRejectedException;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.micronaut.core.propagation.PropagatedContext;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is found out about one abandoned run. Used by one thread. */
final class Finding {

    /** Who settled it, in the audit trail. */
    static final String ACTOR = "background reconciliation";

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

    /** Asks under a claim, which leaves the run in doubt whatever the answer is: settling it is written into its trail. */
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

    /** Whether this node asked: another owner may have been faster, or the store could not be asked. */
    boolean asked() {
        return fence > 0;
    }

    /** Settles the run as it was found, unless it was taken over meanwhile. */
    Answer settled(AuditTrail trail) {
        if (found instanceof Reconciliation.Done<?> done) {
            StoredResult result = ResultEncoder.of(operation, record.id(), done.result());
            return resolved(trail, AuditEntry.Outcome.COMPLETED, completed(result)) ? Answer.DONE : Answer.PASSED_OVER;
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
                        trail, outcome, completed(ResultEncoder.rejected(operation, record.id(), present, rejected)));
            }
            throw rejected;
        }
    }
}

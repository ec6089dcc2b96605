package io.idempotency.runtime.engine;

import io.idempotency.OnStoreFailure;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.answer.Refusals;
import io.idempotency.runtime.answer.Replay;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.call.NewKeyAdmission;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.IdempotencyStore.ClaimsRefusedException;
import io.idempotency.runtime.store.IdempotencyStore.StoreFullException;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.UnreadableRecordException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims the key of one call and interprets the store's answer. Used by one thread at a time.
 *
 * @param owner the token that all claims of this call carry
 */
record ClaimAttempt(
        Invocation call, ExecutionServices services, LeaseKeeper leases, Unrecorded unrecorded, String owner) {

    /** The logger of call outcomes, which begin with the claim. */
    private static final Logger LOG = LoggerFactory.getLogger("io.idempotency.calls");

    /** The result of one claim. */
    sealed interface Decision {

        /** The call owns the key and runs the body. */
        record Granted(ActiveClaim claim) implements Decision {}

        /** The call does not run the body; every duplicate gets the same answer, made for each. */
        record Known(Function<Invocation, Outcome> answer) implements Decision {}

        /** Another call owns the key: its lease has not ended, or this JVM is recording its outcome. */
        record Busy(StoredRecord record) implements Decision {}

        /** The store did not answer, nothing is known of the key, and the operation runs its body unprotected. */
        record Unasked(Claim request, Throwable failure) implements Decision {}
    }

    private Operation.Policy policy() {
        return call.operation().policy();
    }

    private IdempotencyStore store() {
        return call.operation().store();
    }

    /** Makes a claim. A transaction's needs no lease: no other call sees it before the transaction ends. */
    Claim request(boolean takeOver) {
        return new Claim(
                call.id(),
                call.operation().name(),
                call.fingerprint().text(),
                owner,
                policy().transactional() ? policy().inDoubtRetention() : policy().lease(),
                policy().inDoubtRetention(),
                takeOver && takesOver(),
                call.arguments());
    }

    /** A transactional call asks no reconciler, so it takes over nothing that only a reconciler may permit. */
    private boolean takesOver() {
        return switch (policy().onAbandoned()) {
            case REFUSE -> false;
            case RECONCILE -> !policy().transactional();
            case TAKE_OVER -> true;
        };
    }

    /**
     * Claims the key once. Never throws: a failed claim is a refusal, or permits an unprotected run.
     *
     * @param takeOver whether to take over a record in doubt, if the operation permits that
     * @param first whether no call of the group has claimed before: unless nothing is known of the key, the body never
     *     runs without the store
     */
    Decision claim(boolean takeOver, boolean first) {
        boolean recording = takesOver() && leases.records(call.id()); // no owner has vanished
        Claim request = request(takeOver && !recording);
        boolean unknown = first && !leases.holds(call.id());
        long sent = services.time().nanos();
        Optional<NewKeyAdmission.Closed> closed = call.admission().closed();
        Decision refusal = closed.map(this::refusalOfNewKey).orElse(null);
        if (refusal != null) {
            return refusal;
        }
        boolean interrupted = Thread.interrupted(); // as BlockingCalls.ofStore does, without its frames in every call
        try {
            ClaimResult result = MultiFormClaim.ask(store(), request, call.fingerprint());
            return recording
                            && result instanceof ClaimResult.Duplicate duplicate
                            && !duplicate.record().hasOutcome()
                    ? new Decision.Busy(duplicate.record())
                    : decided(result, request, sent);
        } catch (Throwable e) { // a store may throw anything
            // asked again: a call with the same key may have been granted it while this one waited for the store, and
            // who
            // was interrupted meanwhile may have closed its connection itself
            boolean uninterrupted = !Thread.currentThread().isInterrupted();
            return failed(e, request, uninterrupted && unknown && closed.isEmpty() && !leases.holds(call.id()));
        } finally {
            BlockingCalls.restore(interrupted);
        }
    }

    /** Returns the refusal of a new key; null for a key that has a record, because claiming it adds none. */
    private @Nullable Decision refusalOfNewKey(NewKeyAdmission.Closed closed) {
        try {
            return BlockingCalls.ofStore(() -> store().find(call.id())).isPresent()
                    ? null
                    : new Decision.Known(duplicate -> Refusals.notAdmitted(duplicate, closed));
        } catch (Throwable e) { // a store may throw anything
            return refused(e);
        }
    }

    /** Answers from the key's record without a claim, because the application is shutting down. */
    Decision.Known look() {
        try {
            return BlockingCalls.ofStore(() -> store().find(call.id()))
                    .map(this::seen)
                    .orElseGet(() -> new Decision.Known(Refusals::shuttingDown));
        } catch (Throwable e) { // a store may throw anything
            return new Decision.Known(Refusals::shuttingDown);
        }
    }

    private Decision.Known seen(StoredRecord record) {
        ClaimResult result = MultiFormClaim.answer(request(false), call.fingerprint(), record);
        if (record.state() == RecordState.IN_DOUBT && result instanceof ClaimResult.Duplicate) {
            // another node settles it, or tells: only after a claim does the doubt survive a fail-over of the store
            return new Decision.Known(duplicate -> Refusals.inProgress(duplicate, record));
        }
        return result instanceof ClaimResult.Acquired
                ? new Decision.Known(Refusals::shuttingDown)
                : new Decision.Known(duplicate -> Replay.of(duplicate, result));
    }

    private Decision decided(ClaimResult result, Claim request, long sent) {
        // no default: a new kind of answer must not fall through to running the body
        if (result instanceof ClaimResult.Acquired acquired) {
            return acquired(acquired, request, sent);
        } else if (result instanceof ClaimResult.Duplicate duplicate
                && duplicate.record().state() == RecordState.IN_PROGRESS) {
            return new Decision.Busy(duplicate.record());
        }
        return new Decision.Known(duplicate -> Replay.of(duplicate, result));
    }

    private Decision acquired(ClaimResult.Acquired acquired, Claim request, long sent) {
        if (services.time().nanos() - sent >= policy().lease().toNanos()) {
            return tooLate(sent);
        }
        if (acquired.attempt() == 1) {
            call.admission().granted();
        }
        Ownership ownership = new Ownership(request.id(), request.owner(), acquired.fence());
        if (LOG.isDebugEnabled()) { // builds no arguments unless they are logged
            LOG.debug(
                    "Idempotent operation '{}' [key {}]: claimed as attempt {} with fence {}",
                    call.operation().name(),
                    request.id(),
                    acquired.attempt(),
                    acquired.fence());
        }
        return new Decision.Granted(new ActiveClaim(call, ownership, acquired.attempt(), sent, services));
    }

    /** Gives back a claim that was granted when its lease was over, or lost before its body began. */
    Decision tooLate(long sent) {
        Duration took = Duration.ofNanos(services.time().nanos() - sent);
        unrecorded.abandon(call.operation(), request(false), StoreMessages.NOT_RUN_LATE);
        return new Decision.Known(duplicate -> Refusals.answeredTooLate(duplicate, took));
    }

    /** Handles a failed claim, which may have been applied. PROCEED counts only while nothing is known of the key. */
    private Decision failed(Throwable failure, Claim request, boolean mayProceed) {
        boolean answered = failure instanceof UnreadableRecordException || failure instanceof StoreFullException;
        boolean away = !answered && !(failure instanceof ClaimsRefusedException);
        if (mayProceed && policy().onStoreFailure() == OnStoreFailure.PROCEED && away) {
            call.admission().granted(); // its record is written once the store is back
            return new Decision.Unasked(request(false), failure);
        }
        if (!answered) {
            unrecorded.abandon(call.operation(), request, StoreMessages.NOT_RUN_LATE);
        }
        return refused(failure);
    }

    private static Decision refused(Throwable failure) {
        return new Decision.Known(duplicate -> {
            if (failure instanceof UnreadableRecordException) {
                return Refusals.unreadable(duplicate, failure);
            }
            return failure instanceof StoreFullException
                    ? Refusals.storeFull(duplicate, failure)
                    : Refusals.storeUnavailable(duplicate, failure);
        });
    }
}

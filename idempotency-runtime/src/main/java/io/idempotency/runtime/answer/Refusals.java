package io.idempotency.runtime.answer;

import io.idempotency.IdempotencyContext;
import io.idempotency.IdempotencyException;
import io.idempotency.OperationInProgressException;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.Refusal;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.call.CallFingerprint;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.call.NewKeyAdmission;
import io.idempotency.runtime.outcome.UnopenedOutcomeException;
import io.idempotency.runtime.store.IdempotencyStore.ClaimsRefusedException;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.idempotency.runtime.store.UnreadableRecordException;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Makes refusals. Their messages say what happened, whether the body ran, and what to do next. */
public final class Refusals {

    private static final Duration SHORTEST_RETRY = Duration.ofMillis(100);
    private static final Duration LONGEST_RETRY = Duration.ofSeconds(5);
    private static final Duration AFTER_WAITING = Duration.ofSeconds(1);

    private Refusals() {}

    public static Outcome.Refused otherArguments(Invocation call) {
        return refused(
                Refusal.KEY_REUSED,
                call,
                "this key was used before with other arguments. The body did not run for these.");
    }

    /** Refuses temporarily: a node that knows the form can compare the arguments, so the same key may be sent again. */
    public static Outcome.Refused unknownForm(Invocation call, String recorded) {
        return refused(
                Refusal.STORE_UNAVAILABLE,
                call,
                "this key has a record in store '" + store(call) + "' whose fingerprint is of the form '"
                        + CallFingerprint.formOf(recorded)
                        + "' (its version and the id of its secret, if any), which this node does not know. It cannot"
                        + " tell whether the record is of this call, so the body did not run. Upgrade this node, or set"
                        + " idempotency.fingerprint.version to an older version on the newer nodes until none is left; for a"
                        + " secret, add it to idempotency.fingerprint.other-secrets.");
    }

    public static Outcome.Refused changedMeanwhile(Invocation call) {
        return refused(
                Refusal.STORE_UNAVAILABLE,
                call,
                "the key's record in store '" + store(call) + "' was replaced by one in another form of its fingerprint"
                        + " while this call asked for it. The body did not run.");
    }

    public static Outcome.Refused otherCaller(Invocation call) {
        return refused(
                Refusal.KEY_FOREIGN, call, "this key belongs to another caller. The body did not run for this one.");
    }

    public static Outcome.Refused otherOperation(Invocation call, String operation) {
        return refused(
                Refusal.KEY_USED_ELSEWHERE,
                call,
                "this key was used before for operation '" + operation + "' of the same namespace '"
                        + call.operation().namespace() + "'. The body did not run.");
    }

    public static Outcome.Refused inProgress(Invocation call, StoredRecord record) {
        return busy(
                call,
                (record.state() == RecordState.IN_DOUBT ? "has begun" : "is running") + " (attempt " + record.attempt()
                        + ", since " + record.claimedAt() + ")",
                retryAfter(record.remainingLease()));
    }

    public static Outcome.Refused overtaken(Invocation call, StoredRecord record) {
        return refused(
                Refusal.IN_PROGRESS,
                call,
                "this call has lost its claim to attempt " + record.attempt() + ". What its body did is not recorded.");
    }

    public static Outcome.Refused runningHere(Invocation call, IdempotencyContext owner) {
        return busy(
                call,
                "is running in this application (attempt " + owner.attempt() + ")",
                retryAfter(owner.remainingLease()));
    }

    private static Duration retryAfter(Duration lease) {
        return lease.compareTo(LONGEST_RETRY) > 0
                ? LONGEST_RETRY
                : lease.compareTo(SHORTEST_RETRY) < 0 ? SHORTEST_RETRY : lease;
    }

    public static Outcome.Refused runsOn(Invocation call) {
        return busy(call, "is running in this application, which shuts down, and it is not waited for any longer");
    }

    public static Outcome.Refused runningHere(Invocation call, Duration waited) {
        return busy(call, "is running in this application, and was not over after " + waited + " (waitTimeout)");
    }

    public static Outcome.Refused noLongerWaiting(Invocation call) {
        return busy(
                call,
                "is running in this application, and this one waits for it no longer: its thread was interrupted, or its"
                        + " caller has gone");
    }

    public static Outcome.Refused tooManyWait(Invocation call, int most) {
        return busy(
                call,
                "is running, and " + most
                        + " calls with this key wait for it in this application already, the most that"
                        + " idempotency.max-waiters-per-key permits");
    }

    public static Outcome.Refused nested(Invocation call) {
        return new Outcome.Refused(new OperationInProgressException(
                name(call),
                hash(call),
                "the body itself makes this call, with its own key and arguments, and would wait for itself. This call"
                        + " did not run the body again. Call the method with another key, or what it does without the"
                        + " annotation.",
                AFTER_WAITING));
    }

    public static Outcome.Refused lockedByTransaction(Invocation call) {
        return busy(call, "is running in a transaction that is not over", SHORTEST_RETRY);
    }

    public static Outcome.Refused inDoubt(Invocation call, StoredRecord record) {
        String why = record.doubt() == null || record.abandoned()
                ? "its owner vanished (lease over since " + record.leaseUntil() + ")"
                : record.doubt();
        return unknown(call, why, null);
    }

    public static Outcome.Refused unknown(Invocation call, String why, @Nullable Throwable cause) {
        return refused(
                Refusal.OUTCOME_UNKNOWN,
                call,
                "an earlier call with this key may have run the body, and its outcome is not known: " + why
                        + ". It is not run again. Settle the record, or configure onAbandoned = RECONCILE for this"
                        + " operation.",
                cause);
    }

    public static IdempotencyException nestedRefused(Invocation call, String happened, IdempotencyException refusal) {
        boolean itself = hash(call).equals(refusal.keyHash()); // then waiting does not help
        String others = itself ? "." : "; or let '" + refusal.operation() + "' wait (whenInProgress = WAIT).";
        String why = happened + ", and what it had done by then is not known. It is not run again. Where it may be,"
                + " declare noEffectFor = " + refusal.getClass().getSimpleName() + ".class, or onFailure = RELEASE"
                + others;
        return refused(Refusal.OUTCOME_UNKNOWN, call, why, refusal).reason();
    }

    public static Outcome.Refused failedBefore(Invocation call, StoredFailure failure) {
        return failedBefore(call, failure, failure.message() == null ? "" : ": " + failure.message());
    }

    public static Outcome.Refused failedBefore(Invocation call, String type, IOException unopened) {
        Outcome.Refused failed = failedBefore(
                call,
                new StoredFailure(type, null, null),
                " (its message and code cannot be read: " + unopened.getMessage() + ")");
        failed.reason().addSuppressed(new UnopenedOutcomeException(unopened));
        return failed;
    }

    private static Outcome.Refused failedBefore(Invocation call, StoredFailure failure, String how) {
        return new Outcome.Refused(new PreviousAttemptFailedException(
                name(call),
                hash(call),
                "an earlier call with this key ran the body, which failed with " + failure.type() + how
                        + ". That outcome is final for this key and the body is not run again. "
                        + Refusal.PREVIOUS_ATTEMPT_FAILED.next(),
                failure.type(),
                failure.message(),
                failure.code(),
                null));
    }

    /** Does not claim success, because the outcome may be a failure; no reloader is called in its place. */
    public static Outcome.Refused unopened(Invocation call, UnopenedOutcomeException cause) {
        return refused(
                Refusal.RESULT_UNAVAILABLE,
                call,
                "the body ran, and its recorded outcome cannot be read: " + cause.getMessage()
                        + ". The body is not run again.",
                cause);
    }

    public static Outcome.Refused omitted(Invocation call, StoredResult.Omitted omitted) {
        return withoutResult(call, "was not stored: " + omitted.reason(), null);
    }

    public static Outcome.Refused notReloaded(Invocation call, String why, @Nullable Throwable cause) {
        return withoutResult(call, "is not stored and its @Reloads method " + why, cause);
    }

    public static Outcome.Refused undecodable(Invocation call, Throwable cause) {
        return withoutResult(call, "cannot be decoded as the operation's result type any more", cause);
    }

    public static Outcome.Refused unreadable(Invocation call, Throwable cause) {
        return refused(
                Refusal.OUTCOME_UNKNOWN,
                call,
                "the key's record in store '" + store(call) + "' cannot be understood, so the body is not run: "
                        + (cause instanceof UnreadableRecordException record ? record.problem() : cause.getMessage())
                        + ". Upgrade this node, or repair the record.",
                cause);
    }

    public static Outcome.Refused storeUnavailable(Invocation call, Throwable cause) {
        return refused(
                Refusal.STORE_UNAVAILABLE,
                call,
                "store '" + store(call) + "' "
                        + (cause instanceof ClaimsRefusedException ? "takes no claim now" : "could not be asked")
                        + ", so the body did not run.",
                cause);
    }

    public static Outcome.Refused storeFull(Invocation call, Throwable cause) {
        return refused(
                Refusal.TOO_MANY_RECORDS,
                call,
                "store '" + store(call) + "' has no room for another key, so the body did not run: "
                        + cause.getMessage() + ".",
                cause);
    }

    public static Outcome.Refused notAdmitted(Invocation call, NewKeyAdmission.Closed closed) {
        return new Outcome.Refused(Refusal.TOO_MANY_RECORDS.exception(
                name(call),
                hash(call),
                "this node has claimed as many new keys as it may, " + closed.limit()
                        + ", and this key is new, so the body did not run. " + Refusal.TOO_MANY_RECORDS.next(),
                closed.retryAfter(),
                null));
    }

    public static Outcome.Refused noThread(Invocation call, Throwable cause) {
        return refused(
                Refusal.STORE_UNAVAILABLE,
                call,
                "the executor 'blocking' (micronaut.executors.blocking) took no task, so the body did not run. If this"
                        + " repeats, give it more threads or a longer queue.",
                cause);
    }

    public static Outcome.Refused shuttingDown(Invocation call) {
        return refused(
                Refusal.SHUTTING_DOWN,
                call,
                "the application shuts down and starts no new body, so this one did not run.");
    }

    public static Outcome.Refused answeredTooLate(Invocation call, Duration took) {
        return refused(
                Refusal.STORE_UNAVAILABLE,
                call,
                "it took " + took.toMillis() + " ms to get a lease of "
                        + call.operation().policy().lease().toMillis()
                        + " ms in store '" + store(call)
                        + "', so the body did not run. If this repeats, raise the lease (idempotency.lease).");
    }

    private static Outcome.Refused refused(Refusal refusal, Invocation call, String happened) {
        return refused(refusal, call, happened, null);
    }

    private static Outcome.Refused refused(
            Refusal refusal, Invocation call, String happened, @Nullable Throwable cause) {
        return new Outcome.Refused(refusal.exception(name(call), hash(call), happened + " " + refusal.next(), cause));
    }

    private static Outcome.Refused busy(Invocation call, String how) {
        return busy(call, how, AFTER_WAITING);
    }

    private static Outcome.Refused busy(Invocation call, String how, Duration retryAfter) {
        return new Outcome.Refused(new OperationInProgressException(
                name(call),
                hash(call),
                "another call with this key " + how + ". This call did not run the body. " + Refusal.IN_PROGRESS.next(),
                retryAfter));
    }

    private static Outcome.Refused withoutResult(Invocation call, String why, @Nullable Throwable cause) {
        return refused(
                Refusal.RESULT_UNAVAILABLE, call, "the body ran and succeeded, but its result " + why + ".", cause);
    }

    private static String name(Invocation call) {
        return call.operation().name();
    }

    private static String hash(Invocation call) {
        return call.id().value();
    }

    private static String store(Invocation call) {
        return call.operation().store().name();
    }
}

package io.idempotency.runtime.answer;

import io.idempotency.IdempotencyContext;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.call.CallFingerprint;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.outcome.RecordedFailure;
import io.idempotency.runtime.outcome.UnopenedOutcomeException;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import java.io.IOException;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Answers a duplicate from its key's record. Never leads to running the body. */
public final class Replay {

    private Replay() {}

    /** Returns the outcome of a claim that was not granted. */
    public static Outcome of(Invocation call, ClaimResult refused) {
        if (refused instanceof ClaimResult.OtherOperation other) {
            StoredRecord record = other.record();
            return refused(call, record.fingerprint(), same -> Refusals.otherOperation(call, record.operation()));
        } else if (refused instanceof ClaimResult.OtherArguments other) {
            return refused(
                    call,
                    other.record().fingerprint(),
                    same -> same ? Refusals.changedMeanwhile(call) : Refusals.otherArguments(call));
        }
        // no default: a granted claim that gets here by mistake fails instead of being answered
        return of(call, ((ClaimResult.Duplicate) refused).record());
    }

    /**
     * Returns the outcome of a duplicate whose owner's call runs in this JVM and claimed with the given fingerprint.
     * Compares operation and arguments as a store does.
     */
    public static Outcome running(Invocation call, IdempotencyContext owner, String claimed) {
        if (!owner.operation().equals(call.operation().name())) {
            return refused(call, claimed, same -> Refusals.otherOperation(call, owner.operation()));
        }
        return claimed.equals(call.fingerprint().in(claimed))
                ? Refusals.runningHere(call, owner)
                : refused(call, claimed, same -> Refusals.otherArguments(call));
    }

    /** Refuses another operation or arguments. Another caller does not learn more, not even the key's operation. */
    private static Outcome refused(Invocation call, String recorded, Function<Boolean, Outcome> refusal) {
        String called = call.fingerprint().in(recorded);
        if (called == null) {
            return Refusals.unknownForm(call, recorded);
        }
        return CallFingerprint.areOfTwoCallers(called, recorded)
                ? Refusals.otherCaller(call)
                : refusal.apply(called.equals(recorded));
    }

    public static Outcome of(Invocation call, StoredRecord record) {
        return switch (record.state()) {
            case COMPLETED ->
                result(
                        call,
                        Objects.requireNonNull(record.result()),
                        new Outcome.FirstRun(record.claimedAt(), record.expiresAt(), record.owner()));
            case FAILED -> failure(call, Objects.requireNonNull(record.failure()));
            case IN_DOUBT -> Refusals.inDoubt(call, record);
            case IN_PROGRESS -> Refusals.inProgress(call, record);
        };
    }

    /** Returns the recorded failure, even if its message and code cannot be read. */
    public static Outcome failure(Invocation call, StoredFailure stored) {
        try {
            StoredFailure opened = RecordedFailure.opened(call.operation().seal(), call.id(), stored);
            return Refusals.failedBefore(call, opened);
        } catch (IOException e) {
            return Refusals.failedBefore(call, stored.type(), e);
        }
    }

    public static Outcome result(Invocation call, StoredResult result, Outcome.@Nullable FirstRun first) {
        if (result.equals(StoredResult.ERASED)) {
            return Refusals.unopened(call, new UnopenedOutcomeException(new IOException("it was erased")));
        } else if (result instanceof StoredResult.Omitted omitted) {
            return Refusals.omitted(call, omitted);
        }
        try {
            byte[] opened = call.operation().seal().open(call.id(), ((StoredResult.Present) result).bytes());
            RecordedFailure failed = RecordedFailure.in(opened);
            return failed == null
                    ? decoded(call, RecordedFailure.unescaped(opened), first)
                    : new Outcome.Refused(
                            Refusals.failedBefore(call, failed.failure()).reason(), failed.answer(), first);
        } catch (Throwable e) { // an exception of a seal must not look like a failure of the body
            return Refusals.unopened(call, new UnopenedOutcomeException(e));
        }
    }

    private static Outcome decoded(Invocation call, byte[] result, Outcome.@Nullable FirstRun first) {
        try {
            return new Outcome.Replayed(call.operation().codec().decode(result), first);
        } catch (Throwable e) { // an exception of a codec must not look like a failure of the body
            return Refusals.undecodable(call, e);
        }
    }
}

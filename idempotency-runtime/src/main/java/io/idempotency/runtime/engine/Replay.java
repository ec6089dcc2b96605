package io.idempotency.runtime.engine;

import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Answers a duplicate from a settled record. Nothing here ever leads to running the body. */
final class Replay {

    private Replay() {}

    /** What a claim that was not granted comes to. */
    static Outcome of(Invocation call, ClaimResult refused) {
        if (refused instanceof ClaimResult.OtherOperation other) {
            return new Outcome.Refused(
                    foreign(call, other.record())
                            ? Refusals.otherCaller(call)
                            : Refusals.otherOperation(call, other.record()));
        } else if (refused instanceof ClaimResult.OtherArguments other) {
            return new Outcome.Refused(
                    foreign(call, other.record()) ? Refusals.otherCaller(call) : Refusals.otherArguments(call));
        }
        // no default: a grant that came here by mistake fails rather than being answered
        return of(call, ((ClaimResult.Duplicate) refused).record());
    }

    /** Another caller learns nothing but that, not even for which operation the key was used. */
    private static boolean foreign(Invocation call, StoredRecord record) {
        return CallerMark.foreign(call.fingerprint(), record.fingerprint());
    }

    static Outcome of(Invocation call, StoredRecord record) {
        return switch (record.state()) {
            case COMPLETED ->
                result(
                        call,
                        Objects.requireNonNull(record.result()),
                        new Outcome.FirstRun(record.claimedAt(), record.expiresAt()));
            case FAILED -> new Outcome.Refused(Refusals.failedBefore(call, Objects.requireNonNull(record.failure())));
            case IN_DOUBT -> new Outcome.Refused(Refusals.inDoubt(call, record));
            case IN_PROGRESS -> new Outcome.Refused(Refusals.inProgress(call, record));
        };
    }

    static Outcome result(Invocation call, StoredResult result) {
        return result(call, result, null);
    }

    @SuppressWarnings("CatchingUnchecked") // whatever a codec throws must not look like a failure of the body
    private static Outcome result(Invocation call, StoredResult result, Outcome.@Nullable FirstRun first) {
        if (result instanceof StoredResult.Present present) {
            try {
                RecordedFailure failed = RecordedFailure.in(present.bytes());
                if (failed != null) {
                    return new Outcome.Refused(Refusals.failedBefore(call, failed.failure()), failed.answer(), first);
                }
                return new Outcome.Replayed(
                        call.operation().codec().decode(RecordedFailure.unescaped(present.bytes())), first);
            } catch (Throwable e) {
                return new Outcome.Refused(Refusals.undecodable(call, e));
            }
        }
        return new Outcome.Refused(Refusals.omitted(call, (StoredResult.Omitted) result));
    }
}

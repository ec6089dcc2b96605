package io.idempotency.runtime;

import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import java.util.Objects;

/** Answers a duplicate from a settled record. Nothing here ever leads to running the body. */
final class Replay {

    private Replay() {}

    static Outcome of(Invocation call, StoredRecord record) {
        return switch (record.state()) {
            case COMPLETED -> result(call, Objects.requireNonNull(record.result()));
            case FAILED -> new Outcome.Refused(Refusals.failedBefore(call, Objects.requireNonNull(record.failure())));
            case IN_DOUBT -> new Outcome.Refused(Refusals.inDoubt(call, record));
            case IN_PROGRESS -> new Outcome.Refused(Refusals.inProgress(call, record));
        };
    }

    @SuppressWarnings("CatchingUnchecked") // whatever a codec throws must not look like a failure of the body
    private static Outcome result(Invocation call, StoredResult result) {
        if (result instanceof StoredResult.Present present) {
            try {
                return new Outcome.Replayed(call.operation().codec().decode(present.bytes()));
            } catch (Exception | LinkageError | StackOverflowError e) {
                return new Outcome.Refused(Refusals.undecodable(call, e));
            }
        }
        return new Outcome.Refused(Refusals.omitted(call, (StoredResult.Omitted) result));
    }
}

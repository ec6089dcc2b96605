package io.idempotency.runtime;

import io.idempotency.runtime.store.RecordId;
import java.time.Duration;

/** Is told what every call came to, on the thread that answers it: marks on HTTP responses, metrics. Thread-safe. */
public interface OutcomeListener {

    /** A call that had a key. */
    record Call(String operation, String store, RecordId id, Duration took) {}

    /** What can happen to a claim that its caller does not see. */
    enum ClaimChange {
        /** A body that runs learnt that its claim is not its own any more: its outcome will not be recorded. */
        LEASE_LOST,
        /**
         * A lease was not renewed when that was due: the store failed, or the renewal before is not over. Told each time; a
         * lease that ends while its body runs leaves the key in doubt.
         */
        NOT_RENEWED,
        /** A lease was renewed after it was over: meanwhile duplicates may have been told that the outcome is unknown. */
        RENEWED_LATE,
        /** An outcome came after the record was taken over or settled, and was not recorded. */
        OUTCOME_STALE
    }

    /** A claim that something happened to. */
    record Claimed(String operation, String store, RecordId id) {}

    /** Something happened to a claim. Told on a thread of the library's own: it must not block. */
    default void onClaim(Claimed claim, ClaimChange change) {}

    /** A call came to its outcome. */
    default void onOutcome(Call call, Outcome outcome) {
        onOutcome(call.operation(), outcome);
    }

    /** A call came to its outcome, for those who want to know no more of it. */
    default void onOutcome(String operation, Outcome outcome) {}

    /** A call without a key ran unprotected, as its operation permits. */
    default void onUnprotected(String operation) {}
}

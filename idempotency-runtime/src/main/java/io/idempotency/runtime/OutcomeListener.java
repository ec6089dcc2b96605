package io.idempotency.runtime;

import io.idempotency.runtime.store.RecordId;
import java.time.Duration;

/** Receives the outcome of every call, for instance for metrics, on the thread that answers the call. Thread-safe. */
public interface OutcomeListener {

    /** A call with a key. While it runs, {@code took} is zero. */
    record Call(String operation, String store, RecordId id, Duration took) {}

    /** Changes of a claim that its caller does not see. */
    enum ClaimChange {
        /** The owner of a running body lost its claim: the body's outcome will not be recorded. */
        LEASE_LOST,
        /**
         * A lease was not renewed in time: the store failed, or the previous renewal has not ended. Reported each time;
         * a lease that ends while its body runs leaves the key in doubt.
         */
        NOT_RENEWED,
        /** A lease was renewed after its end: meanwhile duplicates may have been refused with an unknown outcome. */
        RENEWED_LATE,
        /** An outcome came after the record had been taken over or settled, and was not recorded. */
        OUTCOME_STALE
    }

    /** Is told that a body is about to run under a key, on the body's thread; of a body without one, {@link #onUnprotected} is. */
    default void onBody(Call call) {}

    /** Receives a change of a claim, on a thread of the library: it must not block. */
    default void onClaim(Call call, ClaimChange change) {}

    /** Receives the outcome of a call. */
    default void onOutcome(Call call, Outcome outcome) {}

    /** Receives a call without a key, which ran unprotected as its operation permits. */
    default void onUnprotected(String operation) {}
}

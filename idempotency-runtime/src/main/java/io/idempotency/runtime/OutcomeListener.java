package io.idempotency.runtime;

import io.idempotency.runtime.store.RecordId;
import java.time.Duration;

/** Is told what every call came to, on the thread that answers it: marks on HTTP responses, metrics. Thread-safe. */
public interface OutcomeListener {

    /**
     * A call that had a key.
     *
     * @param operation the operation's name
     * @param store the name of the store that remembers it
     * @param id the key's record
     * @param took how long the call took, with its body and its waiting
     */
    record Call(String operation, String store, RecordId id, Duration took) {}

    /**
     * A call came to its outcome.
     *
     * @param call the call
     * @param outcome what it came to
     */
    default void onOutcome(Call call, Outcome outcome) {
        onOutcome(call.operation(), outcome);
    }

    /**
     * A call came to its outcome, for those who want to know no more of it.
     *
     * @param operation the operation's name
     * @param outcome what it came to
     */
    default void onOutcome(String operation, Outcome outcome) {}

    /**
     * A call without a key ran unprotected, as its operation permits.
     *
     * @param operation the operation's name
     */
    default void onUnprotected(String operation) {}

    /**
     * The lease of a running body was not renewed when it was due: the store failed, or the renewal before is not over. Told each
     * time, on the thread that notices; it must not block.
     *
     * @param operation the operation's name
     * @param id the key's record
     * @param left how long the lease still stands
     */
    default void onLateRenewal(String operation, RecordId id, Duration left) {}
}

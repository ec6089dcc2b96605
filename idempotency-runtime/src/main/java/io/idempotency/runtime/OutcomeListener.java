package io.idempotency.runtime;

/** Is told what every call came to, on the thread that answers it: marks on HTTP responses, metrics. Thread-safe. */
public interface OutcomeListener {

    /**
     * A call came to its outcome.
     *
     * @param operation the operation's name
     * @param outcome what it came to
     */
    void onOutcome(String operation, Outcome outcome);

    /**
     * A call without a key ran unprotected, as its operation permits.
     *
     * @param operation the operation's name
     */
    default void onUnprotected(String operation) {}
}

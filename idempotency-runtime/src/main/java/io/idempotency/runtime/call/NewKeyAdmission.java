package io.idempotency.runtime.call;

import java.time.Duration;
import java.util.Optional;

/**
 * Decides whether a call may add a record for a key that its store does not know. Asked before each claim; a known key is claimed or
 * answered in any case. Thread-safe.
 */
public interface NewKeyAdmission {

    /** No limit. */
    NewKeyAdmission UNLIMITED = new NewKeyAdmission() {
        @Override
        public Optional<Closed> closed() {
            return Optional.empty();
        }

        @Override
        public void granted() {
            // without a counter
        }
    };

    /**
     * A limit that is reached.
     *
     * @param limit which one it is, and how to raise it, for operators
     * @param retryAfter when another key is admitted, unless others come first
     */
    record Closed(String limit, Duration retryAfter) {}

    /**
     * Returns the limit that is reached.
     *
     * @return empty when none is
     */
    Optional<Closed> closed();

    /** Counts a claimed key that had no record. */
    void granted();
}

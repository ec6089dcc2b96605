package io.idempotency.runtime.call;

import java.time.Duration;
import java.util.Optional;

/**
 * Whether a call may make a record of a key that its store does not know. Asked before each claim; a key that is known is claimed
 * or answered whatever this says. Thread-safe.
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
     * Whether the limit is reached.
     *
     * @return empty when it is not
     */
    Optional<Closed> closed();

    /** A key was claimed that had no record. */
    void granted();
}

package io.idempotency.runtime.call;

import java.time.Duration;
import java.util.Optional;

/**
 * Decides whether a call may add a record for a key that its store does not know. The engine asks before each claim; a
 * known key is claimed or answered in any case. Thread-safe.
 */
public interface NewKeyAdmission {

    /** Admits every new key. */
    NewKeyAdmission UNLIMITED = new NewKeyAdmission() {};

    /**
     * A limit that is reached.
     *
     * @param limit names the limit and how to raise it, for operators
     * @param retryAfter when the next key is admitted, unless other calls take its place
     */
    record Closed(String limit, Duration retryAfter) {}

    /** Returns the limit that is reached; empty when none is. */
    default Optional<Closed> closed() {
        return Optional.empty();
    }

    /** Counts a new key that was claimed. */
    default void granted() {}
}

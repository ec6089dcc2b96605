package io.idempotency.runtime;

import java.util.Optional;

/** Classifies exceptions of one technology by their effect, and gives them codes. Thread-safe. */
public interface FailureClassifier {

    /**
     * Returns what the exception alone, without its causes, says about the effect; empty if the classifier does not
     * know.
     */
    Optional<Effect> effect(Throwable failure);

    /** Returns a code to record with a final failure, for instance {@code http:404}; empty when it has none. */
    default Optional<String> code(Throwable failure) {
        return Optional.empty();
    }
}

package io.idempotency.runtime;

import java.util.Optional;

/** Knows exceptions of one technology: what they say about the effect, and their code. Thread-safe. */
public interface FailureClassifier {

    /** What the exception alone, without its causes, says about the effect; empty when this classifier does not know it. */
    Optional<Effect> effect(Throwable failure);

    /** A code to remember with a final failure, for instance {@code http:404}; empty when it has none. */
    default Optional<String> code(Throwable failure) {
        return Optional.empty();
    }
}

package io.idempotency;

/** What an exception of the body means, unless its type proves that there was no effect or that it cannot be known. */
public enum OnFailure {
    /** Final: duplicates get {@link PreviousAttemptFailedException}. */
    REMEMBER,
    /** The claim is released and the next call runs the body again, whatever the failed one did before it threw. */
    RELEASE
}

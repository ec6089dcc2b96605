package io.idempotency;

/** What a call does when its store cannot be reached before the body. */
public enum OnStoreFailure {
    /** Refused with {@link IdempotencyStoreUnavailableException}; the body does not run. */
    FAIL,
    /**
     * The body runs without a claim: every retry runs it again for as long as the store is away, and calls on other nodes
     * run it at the same time. Refused as {@code FAIL} says where this JVM has claimed the key before, until the store has
     * that call's outcome. For operations that had better happen twice than not at all.
     */
    PROCEED
}

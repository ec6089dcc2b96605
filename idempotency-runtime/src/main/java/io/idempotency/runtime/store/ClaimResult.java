package io.idempotency.runtime.store;

/** The answer to a claim. Only {@link Acquired} permits the caller to run the body. */
public sealed interface ClaimResult {

    /**
     * The caller owns the key.
     *
     * @param attempt 1 for the first claim; more when a record in doubt was taken over
     */
    record Acquired(long fence, int attempt) implements ClaimResult {}

    /** The key belongs to another operation of the namespace. */
    record OtherOperation(StoredRecord record) implements ClaimResult {}

    /** The key was used with other arguments. */
    record OtherArguments(StoredRecord record) implements ClaimResult {}

    /** The same call was made before; {@link StoredRecord#state()} says how that call stands. */
    record Duplicate(StoredRecord record) implements ClaimResult {}

    /**
     * Returns the answer that follows from the record that the atomic claim left or found. Every store uses this
     * function, so that all of them compare operation and fingerprint first, in every state.
     */
    static ClaimResult of(Claim claim, StoredRecord record) {
        if (!record.operation().equals(claim.operation())) {
            return new OtherOperation(record);
        }
        if (!record.fingerprint().equals(claim.fingerprint())) {
            return new OtherArguments(record);
        }
        if (record.owner().equals(claim.owner()) && !record.hasOutcome()) {
            return new Acquired(record.fence(), record.attempt());
        }
        return new Duplicate(record);
    }
}

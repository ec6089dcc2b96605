package io.idempotency.runtime.store;

/**
 * The proof of a claim, which every later call of its owner carries. Stores compare owner and fence but not the lease,
 * so that a late owner may still record the outcome of a claim that was not taken over.
 *
 * @param owner the token of the call that claimed it, unique per call
 * @param fence the fence that the claim returned
 */
public record Ownership(RecordId id, String owner, long fence) {}

package io.idempotency.runtime.store;

/**
 * The claim that every call after it carries. Both parts are compared; the lease is not, so that a late owner may still
 * settle its claim if it was not taken over.
 *
 * @param owner the token of the call that claimed it, unique per call
 * @param fence the fence that the claim returned
 */
public record Ownership(RecordId id, String owner, long fence) {}

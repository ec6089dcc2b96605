package io.idempotency.runtime.store;

/**
 * What every call after the claim carries. Both parts are compared; the lease is not, so that a late owner may still
 * settle its claim if it was not taken over.
 *
 * @param id the record
 * @param owner the token of the call that claimed it, unique per call
 * @param fence the fence that the claim returned
 */
public record Ownership(RecordId id, String owner, long fence) {}

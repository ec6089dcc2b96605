package io.idempotency.runtime.intercept;

/** A result of another library, which knows nothing of Micronaut Serialization. */
public record ImportedResult(String id) {}

package io.idempotency.runtime.store;

import java.time.Duration;

/**
 * A claim whose lease is to be extended.
 *
 * @param lease how long the claim stands from now
 * @param retention how long the record is kept from now unless it is settled
 */
public record Renewal(Ownership ownership, Duration lease, Duration retention) {}

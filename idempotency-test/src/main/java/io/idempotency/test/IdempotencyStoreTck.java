package io.idempotency.test;

import io.idempotency.test.contract.StoreContract;

/**
 * The contract of {@link io.idempotency.runtime.store.IdempotencyStore} as tests. The test of a store extends this
 * class and implements {@link #store()}. The contract uses only its own keys, so the store may have other records and
 * needs no clean-up.
 *
 * <p>Most of the time goes into waiting for leases of {@value #SHORT_MILLIS} ms to end. Where JUnit runs tests in
 * parallel, annotate the test of a store that has its own clock with {@code @Execution(CONCURRENT)}, unless
 * {@link #timePasses} moves a clock that all tests share.
 */
public abstract class IdempotencyStoreTck extends StoreContract {}

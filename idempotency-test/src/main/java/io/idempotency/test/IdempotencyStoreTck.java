package io.idempotency.test;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.test.contract.StoreContract;

/**
 * The contract of {@link IdempotencyStore} as tests. A store's author extends it:
 *
 * <pre>{@code
 * final class MyStoreTest extends IdempotencyStoreTck {
 *     @Override
 *     protected IdempotencyStore store() {
 *         return new MyStore(...);
 *     }
 * }
 * }</pre>
 *
 * <p>It uses only keys of its own: other records may be there, and no clean-up is needed.
 * Leases that have to end are {@value #SHORT_MILLIS} ms, everything else is far longer than a test.
 *
 * <p>Most of its time it waits for leases to end. Where JUnit runs tests in parallel, annotate the test
 * of a store with a clock of its own with {@code @Execution(CONCURRENT)}, but not one whose
 * {@link #timePasses} moves a clock that all tests share.
 */
public abstract class IdempotencyStoreTck extends StoreContract {}

/**
 * For tests: the contract that every store passes, {@link io.idempotency.test.IdempotencyStoreTck}, and the clock and
 * faults that an application's own tests use.
 *
 * <p>Nothing here may import a particular store, or anything that an application under test does not have.
 */
@NullMarked
package io.idempotency.test;

import org.jspecify.annotations.NullMarked;

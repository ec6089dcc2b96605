/**
 * For tests: {@link io.idempotency.test.IdempotencyTestKit} and the faults that an application's own tests use, and
 * {@link io.idempotency.test.IdempotencyStoreTck}, the contract that every store passes. Must not import a particular
 * store, or anything that an application under test does not have.
 */
@NullMarked
package io.idempotency.test;

import org.jspecify.annotations.NullMarked;

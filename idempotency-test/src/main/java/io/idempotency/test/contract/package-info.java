/**
 * The contract that every store passes, one class for each part of it. A store's author extends
 * {@code io.idempotency.test.IdempotencyStoreTck} and needs no other name of this package. Must not import a
 * particular store, or the kit for the tests of applications.
 */
@NullMarked
package io.idempotency.test.contract;

import org.jspecify.annotations.NullMarked;

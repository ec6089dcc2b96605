/**
 * The contract of stores: {@link io.idempotency.runtime.store.IdempotencyStore} and the values it takes and
 * returns. Every implementation passes the same contract test, {@code IdempotencyStoreTck} in {@code idempotency-test}.
 *
 * <p>Nothing here may import Micronaut, HTTP, a database or a codec.
 */
@NullMarked
package io.idempotency.runtime.store;

import org.jspecify.annotations.NullMarked;

/**
 * The engine: what happens to one call of an idempotent operation, from the claim to the recorded outcome, and the few
 * interfaces through which the outside reaches it.
 *
 * <p>Nothing here may import Micronaut, HTTP, JDBC, Lettuce or a codec library: the engine is driven by an injected
 * clock, scheduler and store, so that tests play time and interleavings.
 */
@NullMarked
package io.idempotency.runtime;

import org.jspecify.annotations.NullMarked;

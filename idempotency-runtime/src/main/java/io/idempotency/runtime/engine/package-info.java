/**
 * The state machine of one call, from the claim to the recorded outcome. Internal: applications do not use it.
 *
 * <p>Nothing here may import Micronaut, HTTP, JDBC, Lettuce or a codec library: the engine is driven by an injected
 * clock, threads and store, so that tests control time and interleavings.
 */
@NullMarked
package io.idempotency.runtime.engine;

import org.jspecify.annotations.NullMarked;

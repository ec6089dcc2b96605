/**
 * Interfaces that an application or another module may implement or listen to: callers, tenants, the effect of
 * exceptions, the encoding of results, the outcome of every call.
 *
 * <p>Nothing here may import Micronaut, HTTP, JDBC, Lettuce or a codec library, nor the engine.
 */
@NullMarked
package io.idempotency.runtime;

import org.jspecify.annotations.NullMarked;

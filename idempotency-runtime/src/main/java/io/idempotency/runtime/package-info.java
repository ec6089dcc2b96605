/**
 * What an application or another module may implement or listen to: who calls, for which tenant, what an exception says
 * about its effect, how results are encoded, what became of every call.
 *
 * <p>Nothing here may import Micronaut, HTTP, JDBC, Lettuce or a codec library, nor the engine.
 */
@NullMarked
package io.idempotency.runtime;

import org.jspecify.annotations.NullMarked;

/**
 * Routes that configuration protects, {@code idempotency.http.routes}: a server filter, by default between all other
 * filters and the controller, which records the bytes of the answer.
 *
 * <p>Nothing here blocks an event loop, and only {@code NettyStreams} depends on the server's implementation.
 */
@Configuration
@Requires(classes = HttpServerConfiguration.class)
@NullMarked
package io.idempotency.http.server.route;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.server.HttpServerConfiguration;
import org.jspecify.annotations.NullMarked;

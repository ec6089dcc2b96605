/**
 * Routes that are protected by configuration, {@code idempotency.http.routes}: a server filter that stands behind
 * every other filter and in front of the controller. What it records are the bytes of
 * the answer.
 *
 * <p>Nothing here blocks an event loop, and nothing but {@code NettyStreams} knows the server's implementation.
 */
@Configuration
@Requires(classes = HttpServerConfiguration.class)
@NullMarked
package io.idempotency.http.server.route;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.server.HttpServerConfiguration;
import org.jspecify.annotations.NullMarked;

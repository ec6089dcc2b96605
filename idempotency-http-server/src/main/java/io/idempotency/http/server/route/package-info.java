/**
 * Routes that configuration protects, {@code idempotency.http.routes}: a server filter, by default between all other
 * filters and the controller, which records the bytes of the answer.
 *
 * <p>Nothing here blocks an event loop, and only {@code NettyStreams} depends on the server's implementation.
 */
@NullMarked
package io.idempotency.http.server.route;

import org.jspecify.annotations.NullMarked;

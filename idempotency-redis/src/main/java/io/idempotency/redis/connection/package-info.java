/**
 * The store's own connections to Redis: one server, the master that Sentinel names, or a cluster. Must not import the
 * package above it, nor its neighbour {@code script}.
 */
@NullMarked
package io.idempotency.redis.connection;

import org.jspecify.annotations.NullMarked;

/**
 * The store's own connections to Redis: one server, the master that Sentinel names, or a cluster. Knows nothing of records; must
 * not import the packages above.
 */
@NullMarked
package io.idempotency.redis.connection;

import org.jspecify.annotations.NullMarked;

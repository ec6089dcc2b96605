/**
 * Keeps records in Redis: one key per record, one Lua script per verb. An application sees only
 * {@link io.idempotency.redis.RedisIdempotencyConfiguration}; everything else is reached through the store contract. Must
 * not import HTTP, another store or the executor.
 */
@NullMarked
package io.idempotency.redis;

import org.jspecify.annotations.NullMarked;

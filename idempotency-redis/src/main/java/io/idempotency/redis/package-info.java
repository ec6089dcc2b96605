/**
 * Keeps records in Redis: one key per record, one Lua script per verb. An application sees only
 * {@link RedisIdempotencyConfiguration}. Must not import HTTP, another store or the executor.
 */
@NullMarked
package io.idempotency.redis;

import org.jspecify.annotations.NullMarked;

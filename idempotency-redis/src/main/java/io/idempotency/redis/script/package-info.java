/**
 * One Lua script per verb, how it is sent, and what a record's bytes mean. The scripts themselves are resources of this package.
 * Must not import the packages above.
 */
@NullMarked
package io.idempotency.redis.script;

import org.jspecify.annotations.NullMarked;

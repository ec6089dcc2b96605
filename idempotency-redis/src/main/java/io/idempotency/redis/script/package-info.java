/**
 * The Lua scripts, how they are sent, and the bytes of a record. The scripts are resources of this package. Must not
 * import the package above it.
 */
@NullMarked
package io.idempotency.redis.script;

import org.jspecify.annotations.NullMarked;

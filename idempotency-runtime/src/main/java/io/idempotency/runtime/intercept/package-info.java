/**
 * The way from an intercepted bean method, or a call by hand, to the engine and back. It adapts and decides nothing: which claim wins, what
 * is replayed and what is refused is the engine's.
 */
@NullMarked
package io.idempotency.runtime.intercept;

import org.jspecify.annotations.NullMarked;

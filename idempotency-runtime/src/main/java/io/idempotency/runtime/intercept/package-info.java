/**
 * The way from an intercepted bean method, or a call by hand, to the engine and back. This package only adapts: the
 * engine decides which claim wins, and what is replayed or refused.
 */
@NullMarked
package io.idempotency.runtime.intercept;

import org.jspecify.annotations.NullMarked;

/** One call of an operation, as the engine receives it: its key, arguments, policies and body. Internal. */
@NullMarked
package io.idempotency.runtime.call;

import org.jspecify.annotations.NullMarked;

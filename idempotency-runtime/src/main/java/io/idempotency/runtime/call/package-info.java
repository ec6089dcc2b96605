/** One call of an operation, as the engine gets it: its key, arguments and policies, and its body. Internal. */
@NullMarked
package io.idempotency.runtime.call;

import org.jspecify.annotations.NullMarked;

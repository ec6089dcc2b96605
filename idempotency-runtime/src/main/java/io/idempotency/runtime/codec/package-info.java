/** How results are written and read: JSON through the application's own {@code JsonMapper}. */
@NullMarked
package io.idempotency.runtime.codec;

import org.jspecify.annotations.NullMarked;

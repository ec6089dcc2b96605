/** What exceptions say of the effect, and what a log may say of them. Internal. */
@NullMarked
package io.idempotency.runtime.failure;

import org.jspecify.annotations.NullMarked;

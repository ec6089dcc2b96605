/** What exceptions say about a body's effect, and what a log may say about exceptions. Internal. */
@NullMarked
package io.idempotency.runtime.failure;

import org.jspecify.annotations.NullMarked;

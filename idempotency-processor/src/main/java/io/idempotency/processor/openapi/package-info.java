/**
 * What a route's callers must know of its idempotency, in swagger's annotations. These are known by name only, so that
 * they need not be present.
 */
@NullMarked
package io.idempotency.processor.openapi;

import org.jspecify.annotations.NullMarked;

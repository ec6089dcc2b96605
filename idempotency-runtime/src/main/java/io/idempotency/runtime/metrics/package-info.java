/** Micrometer meters; an application without Micrometer does not load them. */
@NullMarked
package io.idempotency.runtime.metrics;

import org.jspecify.annotations.NullMarked;

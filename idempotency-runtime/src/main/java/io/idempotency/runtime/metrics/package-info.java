/** Micrometer meters; an application without Micrometer loads nothing of it but its configuration. */
@NullMarked
package io.idempotency.runtime.metrics;

import org.jspecify.annotations.NullMarked;

/** Micrometer meters. An application without Micrometer loads only their configuration. */
@NullMarked
package io.idempotency.runtime.metrics;

import org.jspecify.annotations.NullMarked;

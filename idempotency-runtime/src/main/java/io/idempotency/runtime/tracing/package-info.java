/** OpenTelemetry spans; an application without OpenTelemetry does not load them. */
@NullMarked
package io.idempotency.runtime.tracing;

import org.jspecify.annotations.NullMarked;

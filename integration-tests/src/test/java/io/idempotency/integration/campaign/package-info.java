/** The fault campaign: real nodes, stores and clients under faults, and a checker of what callers were told against what happened. */
@org.jspecify.annotations.NullMarked
package io.idempotency.integration.campaign;

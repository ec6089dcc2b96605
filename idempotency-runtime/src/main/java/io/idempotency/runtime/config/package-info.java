/**
 * The properties under {@code idempotency}, the choice of stores, and the beans of the engine. Mistakes are reported
 * while the application starts, with the name of the property.
 */
@NullMarked
package io.idempotency.runtime.config;

import org.jspecify.annotations.NullMarked;

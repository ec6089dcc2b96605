/**
 * What {@code application.yml} says: the properties under {@code idempotency}, which store they choose, and the beans of
 * the engine. Mistakes are reported while the application starts, with the name of the property.
 */
@NullMarked
package io.idempotency.runtime.config;

import org.jspecify.annotations.NullMarked;

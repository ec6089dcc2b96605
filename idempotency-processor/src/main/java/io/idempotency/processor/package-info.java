/**
 * The annotation processor: finds the idempotent operations of a compilation, has them checked ({@code .rule}), has
 * their definitions written ({@code .source}) and binds the interceptor. Nothing here is on a run-time class path.
 *
 * <p>Only {@code io.idempotency} and {@code io.idempotency.definition} of this project may be imported here; types of
 * HTTP, transactions, serialisation and the like are known by name, so that none of them has to be present.
 */
@NullMarked
package io.idempotency.processor;

import org.jspecify.annotations.NullMarked;

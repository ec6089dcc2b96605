/**
 * HTTP before and after the engine: the key out of the request, whole responses in and out of a record, marks onto the
 * response. It knows the engine's outcomes, not the stores.
 */
@NullMarked
package io.idempotency.http.server;

import org.jspecify.annotations.NullMarked;

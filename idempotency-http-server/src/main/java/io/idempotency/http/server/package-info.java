/**
 * HTTP around the engine: reads keys from requests, records whole responses, and reports outcomes in headers. Knows the
 * engine's outcomes, not the stores.
 */
@NullMarked
package io.idempotency.http.server;

import org.jspecify.annotations.NullMarked;

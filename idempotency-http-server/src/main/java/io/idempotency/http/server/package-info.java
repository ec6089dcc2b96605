/** HTTP around the engine: keys of requests, recorded responses, outcomes in headers. Knows no store. */
@NullMarked
package io.idempotency.http.server;

import org.jspecify.annotations.NullMarked;

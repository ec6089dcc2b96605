/**
 * The calling side of HTTP: one key per intent on every attempt, retries, and refusals of the other side as the exceptions
 * that it threw. It knows no store and nothing of the serving side; an application without
 * micronaut-http-client does not load it.
 *
 * @see <a href="https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/">draft-ietf-httpapi-idempotency-key-header-07</a>
 */
@NullMarked
package io.idempotency.http.client;

import org.jspecify.annotations.NullMarked;

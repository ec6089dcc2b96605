/**
 * The client's side of HTTP: one key for all attempts of a call, retries, and the server's refusals as exceptions.
 * Knows no store and nothing of the server's side; an application without micronaut-http-client does not load it.
 *
 * @see <a href="https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/">draft-ietf-httpapi-idempotency-key-header-07</a>
 */
@NullMarked
package io.idempotency.http.client;

import org.jspecify.annotations.NullMarked;

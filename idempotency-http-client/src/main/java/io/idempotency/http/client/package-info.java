/**
 * The client's side of HTTP: one key for all attempts of a call, retries, and the server's refusals as exceptions.
 * Knows no store and nothing of the server's side; an application without micronaut-http-client does not load it.
 *
 * @see <a href="https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/">draft-ietf-httpapi-idempotency-key-header-07</a>
 */
@Configuration
@Requires(classes = HttpClient.class)
@NullMarked
package io.idempotency.http.client;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.client.HttpClient;
import org.jspecify.annotations.NullMarked;

/**
 * What both sides of the wire share: the header fields of the profile, and what an answer of another system says about a
 * body that called it. The server's side is in {@code .server}, its refusals in {@code .problem}; an application without
 * micronaut-http loads none of it.
 *
 * @see <a href="https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/">draft-ietf-httpapi-idempotency-key-header-07</a>
 */
@NullMarked
package io.idempotency.runtime.http;

import org.jspecify.annotations.NullMarked;

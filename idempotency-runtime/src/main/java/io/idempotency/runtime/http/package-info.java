/**
 * What the HTTP server and the HTTP client share: the header fields of the profile, and what the answer of another system
 * says about a body that called it.
 *
 * @see <a href="https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/">draft-ietf-httpapi-idempotency-key-header-07</a>
 */
@NullMarked
package io.idempotency.runtime.http;

import org.jspecify.annotations.NullMarked;

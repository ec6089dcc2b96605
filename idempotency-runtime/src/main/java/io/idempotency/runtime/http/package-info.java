/**
 * HTTP before and after the engine: the key out of the request, the replay mark and the problem document into the
 * response. It knows the engine's outcomes, not the stores; an application without micronaut-http does not load it.
 *
 * @see <a href="https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/">draft-ietf-httpapi-idempotency-key-header-07</a>
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9457">RFC 9457, problem details</a>
 */
@NullMarked
package io.idempotency.runtime.http;

import org.jspecify.annotations.NullMarked;

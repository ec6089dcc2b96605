/**
 * Refusals on the wire: their status, headers and problem documents, through Micronaut's own error machinery. Nothing
 * here knows the engine or a store, only the exceptions that an application sees too.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9457">RFC 9457, problem details</a>
 */
@NullMarked
package io.idempotency.http.server.problem;

import org.jspecify.annotations.NullMarked;

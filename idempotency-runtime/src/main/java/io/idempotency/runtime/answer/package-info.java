/** Encodes results for their records, and answers callers from records with the result or a refusal. Internal. */
@NullMarked
package io.idempotency.runtime.answer;

import org.jspecify.annotations.NullMarked;

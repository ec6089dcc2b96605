/** Writes results for their records, and answers callers from records: with the result, or with a refusal and its text. Internal. */
@NullMarked
package io.idempotency.runtime.answer;

import org.jspecify.annotations.NullMarked;

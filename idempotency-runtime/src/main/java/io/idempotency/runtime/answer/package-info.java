/** From a result to its record, and from a record to what a caller is answered: the result, or a refusal and its text. Internal. */
@NullMarked
package io.idempotency.runtime.answer;

import org.jspecify.annotations.NullMarked;

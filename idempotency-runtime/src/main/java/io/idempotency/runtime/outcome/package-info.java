/** The format of outcomes in records: kinds, failures with their answers, seals. Internal. */
@NullMarked
package io.idempotency.runtime.outcome;

import org.jspecify.annotations.NullMarked;

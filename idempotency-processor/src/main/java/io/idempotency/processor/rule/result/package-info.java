/** The result: it can be recorded, and a duplicate gets all of it. */
@NullMarked
package io.idempotency.processor.rule.result;

import org.jspecify.annotations.NullMarked;

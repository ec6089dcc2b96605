/** The names of operations: well-formed, one for each, and lasting. */
@NullMarked
package io.idempotency.processor.rule.name;

import org.jspecify.annotations.NullMarked;

/** The source text of the generated definitions: deterministic, readable, without imports. */
@NullMarked
package io.idempotency.processor.source;

import org.jspecify.annotations.NullMarked;

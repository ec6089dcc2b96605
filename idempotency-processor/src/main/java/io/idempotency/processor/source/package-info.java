/** The sources of generated definitions, the same in every compilation. Decides nothing: plans say what is written. */
@NullMarked
package io.idempotency.processor.source;

import org.jspecify.annotations.NullMarked;

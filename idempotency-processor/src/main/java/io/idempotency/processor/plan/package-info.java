/**
 * What is decided about an operation at compile time: where its key comes from, how its arguments are written, what its
 * result is. A plan carries its own problems, which the rules report, and is what {@code .source} writes down.
 */
@NullMarked
package io.idempotency.processor.plan;

import org.jspecify.annotations.NullMarked;

/** Methods that answer for operations: {@code @Reconciles} and {@code @Reloads}. */
@NullMarked
package io.idempotency.processor.rule.answer;

import org.jspecify.annotations.NullMarked;

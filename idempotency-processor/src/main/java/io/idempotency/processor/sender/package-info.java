/**
 * What a method that sends idempotency keys must be: one rule per class. HTTP is known by name only, so that it need not
 * be present; nothing is generated here.
 */
@NullMarked
package io.idempotency.processor.sender;

import org.jspecify.annotations.NullMarked;

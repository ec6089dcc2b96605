/** What an operation must be: one class per rule, each with the message that says what to do. */
@NullMarked
package io.idempotency.processor.rule;

import org.jspecify.annotations.NullMarked;

/** The rules, one class for each requirement of an operation, and their reports. */
@NullMarked
package io.idempotency.processor.rule;

import org.jspecify.annotations.NullMarked;

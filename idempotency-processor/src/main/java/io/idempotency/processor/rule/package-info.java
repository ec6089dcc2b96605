/** The rules: one class for each thing that an operation must be, and where they report. */
@NullMarked
package io.idempotency.processor.rule;

import org.jspecify.annotations.NullMarked;

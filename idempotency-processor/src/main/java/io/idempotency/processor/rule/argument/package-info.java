/** The arguments: each counts or is left out on purpose, and what says so is read. */
@NullMarked
package io.idempotency.processor.rule.argument;

import org.jspecify.annotations.NullMarked;

/** One test class per rule: a source that breaks it beside one that does not. */
@org.jspecify.annotations.NullMarked
package io.idempotency.processor.rule;

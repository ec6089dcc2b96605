/** One test class per rule, good and bad source side by side. */
@org.jspecify.annotations.NullMarked
package io.idempotency.processor.sender;

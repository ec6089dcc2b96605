/** Tests of the processor through its visible effects: messages with their line, and what the generated code does. */
@org.jspecify.annotations.NullMarked
package io.idempotency.processor;

/** Compiles text blocks with Micronaut's processors and ours, as javac does for an application. */
@org.jspecify.annotations.NullMarked
package io.idempotency.processor.compile;

package io.idempotency.definition;

/**
 * Writes values whose declared type does not say what they hold, which generated code cannot do. The run time supplies
 * it. Thread-safe.
 */
@FunctionalInterface
public interface OpenValues {

    /**
     * Writes exactly one value, and equal ones alike.
     *
     * @throws IllegalArgumentException when the value cannot be written; the body of the operation does not run then
     */
    void write(Object value, FingerprintWriter writer);
}

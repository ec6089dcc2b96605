package io.idempotency.definition;

/** Where the key of an operation comes from, decided at compile time. */
public enum KeySource {
    /** A property path or {@code @IdempotencyKey} parameters: {@link OperationDefinition#key(Object[])} reads it. */
    PARAMETERS,
    /** A Micronaut expression in the annotation's {@code key}, evaluated by Micronaut at each call. */
    EXPRESSION,
    /** The {@code Idempotency-Key} header of the current HTTP request. */
    HEADER,
    /** The fingerprint of the arguments is the key. */
    ARGUMENTS
}

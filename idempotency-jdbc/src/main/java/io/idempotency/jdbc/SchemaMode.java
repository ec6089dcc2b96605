package io.idempotency.jdbc;

/** What the store does about its table when it starts ({@code idempotency.jdbc.schema}). */
public enum SchemaMode {
    /** Refuse to start when the table is missing or does not fit, and print the statements that make it. */
    VALIDATE,
    /** Make the table where it is missing, then validate. Safe on several nodes at once. */
    CREATE,
    /** Look at nothing: the first call fails where the table is missing. */
    NONE
}

/**
 * Keeps records in a relational database ({@code idempotency.store: jdbc}). Statements and the differences between
 * databases are in {@code sql}, connections in {@code connection}. Must not import HTTP, another store or a codec.
 */
@NullMarked
package io.idempotency.jdbc;

import org.jspecify.annotations.NullMarked;

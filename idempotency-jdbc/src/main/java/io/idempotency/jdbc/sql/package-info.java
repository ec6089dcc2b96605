/**
 * The store's statements, its table and the differences between databases. Must not import the package above it, nor
 * its neighbour {@code connection}.
 */
@NullMarked
package io.idempotency.jdbc.sql;

import org.jspecify.annotations.NullMarked;

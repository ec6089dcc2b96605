/**
 * The connections of the store and of transactions, and the execution of statements on them. Must not import the
 * package above it.
 */
@NullMarked
package io.idempotency.jdbc.connection;

import org.jspecify.annotations.NullMarked;

/**
 * The statements of the store, the table that they are about, and what differs between databases. Knows nothing of connections;
 * must not import the packages above.
 */
@NullMarked
package io.idempotency.jdbc.sql;

import org.jspecify.annotations.NullMarked;

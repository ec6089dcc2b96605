/**
 * The store's own connections and those of transactions, and what is sent on them. Knows nothing of configuration; must not import
 * the package above.
 */
@NullMarked
package io.idempotency.jdbc.connection;

import org.jspecify.annotations.NullMarked;

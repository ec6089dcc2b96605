package io.idempotency.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Lends a connection for the work of one statement. */
interface Lender {

    /** One statement's work. */
    interface Work<T extends @Nullable Object> {
        T on(Connection connection) throws SQLException;
    }

    <T extends @Nullable Object> T lend(Work<T> work) throws SQLException;

    /** As {@link #lend}, for a statement that may have to wait for another transaction that claims the same key. */
    default <T extends @Nullable Object> T lendForClaim(Work<T> work) throws SQLException {
        return lend(work);
    }
}

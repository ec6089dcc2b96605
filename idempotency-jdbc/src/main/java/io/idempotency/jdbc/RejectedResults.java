package io.idempotency.jdbc;

import io.idempotency.jdbc.connection.JdbcStoreException;
import io.idempotency.jdbc.sql.Dialect;
import io.idempotency.jdbc.sql.Dialect.Trouble;
import io.idempotency.runtime.store.ResultRejectedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Tells results that the database will never take, however often it is asked, from a database that cannot be asked. */
final class RejectedResults {

    /** Larger than max_allowed_packet: these drivers do not even send it. */
    private static final Set<String> TOO_LARGE = Set.of(
            "com.mysql.cj.jdbc.exceptions.PacketTooBigException",
            "com.mysql.cj.exceptions.CJPacketTooBigException",
            "org.mariadb.jdbc.export.MaxAllowedPacketException");

    private RejectedResults() {}

    /**
     * Records a result.
     *
     * @param dialect of the database
     * @param transaction whose transaction must survive that the result is rejected; null for a statement of its own
     * @param complete the statement
     */
    static <T> T told(Dialect dialect, @Nullable Connection transaction, Supplier<T> complete) {
        // only PostgreSQL forgets the whole transaction when a statement fails
        Connection kept = dialect == Dialect.POSTGRESQL ? transaction : null;
        try {
            Savepoint before = kept == null ? null : kept.setSavepoint();
            try {
                return complete.get();
            } catch (RuntimeException e) {
                SQLException cause = rejection(dialect, e);
                if (cause == null) {
                    throw e;
                }
                if (kept != null) {
                    kept.rollback(before);
                }
                ResultRejectedException rejected = new ResultRejectedException(
                        "the database does not take it (SQLSTATE " + cause.getSQLState() + ")");
                rejected.initCause(e);
                throw rejected;
            }
        } catch (SQLException e) {
            throw new JdbcStoreException("The transaction takes no savepoint, and is rolled back", e);
        }
    }

    private static @Nullable SQLException rejection(Dialect dialect, Throwable failure) {
        SQLException last = null;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                last = sql;
                if (dialect.is(Trouble.REJECTED, sql)) {
                    return sql;
                }
            }
            if (last != null && TOO_LARGE.contains(cause.getClass().getName())) {
                return last;
            }
        }
        return null;
    }
}

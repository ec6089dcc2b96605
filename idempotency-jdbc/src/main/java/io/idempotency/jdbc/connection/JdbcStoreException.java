package io.idempotency.jdbc.connection;

import io.idempotency.jdbc.connection.ConnectionSource.NotSentException;
import io.idempotency.jdbc.sql.Dialect;
import io.idempotency.jdbc.sql.Dialect.Trouble;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The database refused or could not be asked. Its SQLState, where there is one, is in the cause. */
public final class JdbcStoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public JdbcStoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** What a statement failed with, and what to do. */
    static JdbcStoreException of(SQLException e, Dialect dialect, CommandTimeout limit) {
        String said = "SQLState " + e.getSQLState() + ": " + e.getMessage();
        String message = "The idempotency store's database answered with " + said;
        if (e instanceof NotSentException) {
            message = String.valueOf(e.getMessage());
        } else if (dialect.is(Trouble.READ_ONLY, e)) {
            message = "The idempotency store's database takes no writes (" + said + "): it is a standby, or set to"
                    + " read-only. Nothing was written; if this was a claim, the body did not run. Let the data source"
                    + " (idempotency.jdbc.datasource) reach the primary server.";
        } else if (Dialect.unanswered(e)) {
            message =
                    "The idempotency store's database did not answer (" + said + "). A connection, and every statement,"
                            + " may take idempotency.jdbc.command-timeout (" + limit.timeout() + ").";
        }
        return new JdbcStoreException(message, e);
    }

    /** Whether the database said that. */
    public boolean is(Trouble trouble, Dialect dialect) {
        return getCause() instanceof SQLException cause && dialect.is(trouble, cause);
    }
}

package io.idempotency.jdbc;

import java.io.Serial;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds how long a caller waits for the answer to a statement. Thread-safe.
 *
 * @param timeout how long it may take ({@code idempotency.jdbc.command-timeout})
 */
record CommandTimeout(Duration timeout) {

    private static final Logger LOG = LoggerFactory.getLogger(CommandTimeout.class);

    /** The first connections, and the statements that make the table. */
    private static final Duration STARTING = Duration.ofSeconds(30);

    private static final long LONGEST_SECONDS = Integer.MAX_VALUE / 1000 - 1;
    private static final int UNCHANGED = -1;

    /** The waiting caller is to end: no limit was too short. */
    static final class Interrupted extends SQLTransientConnectionException {

        @Serial
        private static final long serialVersionUID = 1L;

        Interrupted(String what) {
            super(
                    "The calling thread was interrupted while it waited for " + what + ". Nothing was sent to the"
                            + " idempotency store's database; if this was a claim, the body did not run.",
                    "08001");
        }
    }

    /** For a statement that may wait for another transaction first. */
    CommandTimeout plus(Duration wait) {
        return new CommandTimeout(timeout.plus(wait));
    }

    /** For what happens once, when the application starts. */
    CommandTimeout starting() {
        return timeout.compareTo(STARTING) < 0 ? new CommandTimeout(STARTING) : this;
    }

    /**
     * Gives the connection up when the server does not answer, and leaves its own limit as it was. A thread that was interrupted
     * before is so afterwards: since JDK 21 the socket of a virtual one would be closed, and what its body did not recorded.
     */
    <T> T on(Connection connection, ConnectionSource.Work<T> work) throws SQLException {
        boolean interrupted = Thread.interrupted();
        int before = UNCHANGED;
        try {
            before = shorten(connection);
            return work.on(connection);
        } finally {
            if (before != UNCHANGED) {
                restore(connection, before);
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Answers what to restore. */
    private int shorten(Connection connection) throws SQLException {
        try {
            int before = connection.getNetworkTimeout();
            int wanted = (int) Math.min(Integer.MAX_VALUE, (seconds() + 1L) * 1000);
            if (before > 0 && before <= wanted) {
                return UNCHANGED;
            }
            connection.setNetworkTimeout(Runnable::run, wanted);
            return before;
        } catch (SQLFeatureNotSupportedException e) {
            return UNCHANGED; // the statement's own limit remains
        }
    }

    private static void restore(Connection connection, int before) {
        try {
            connection.setNetworkTimeout(Runnable::run, before);
        } catch (SQLException e) {
            LOG.debug("The connection broke, so its network time-out is not restored", e);
        }
    }

    /**
     * Has the driver cancel the statement. It does so a second before the connection is given up, because afterwards the connection is
     * still good and the statement has certainly changed nothing.
     */
    void on(Statement statement, Dialect dialect) throws SQLException {
        if (dialect.limitsStatements()) {
            statement.setQueryTimeout(seconds());
        }
    }

    private int seconds() {
        return (int) Math.min(LONGEST_SECONDS, (timeout.toMillis() + 999) / 1000);
    }
}

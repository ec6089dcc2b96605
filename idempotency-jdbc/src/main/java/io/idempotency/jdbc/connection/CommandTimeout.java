package io.idempotency.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds how long a caller waits for the answer to a statement. Thread-safe.
 *
 * @param timeout how long it may take ({@code idempotency.jdbc.command-timeout})
 */
public record CommandTimeout(Duration timeout) {

    private static final Logger LOG = LoggerFactory.getLogger(CommandTimeout.class);

    /** The first connections, and the statements that make the table. */
    private static final Duration STARTING = Duration.ofSeconds(30);

    private static final long LONGEST_SECONDS = Integer.MAX_VALUE / 1000 - 1;
    private static final int UNCHANGED = -1;

    /** For a statement that may wait for another transaction first. */
    CommandTimeout plus(Duration wait) {
        return wait.isZero() ? this : new CommandTimeout(timeout.plus(wait));
    }

    /** For what happens once, when the application starts. */
    public CommandTimeout starting() {
        return timeout.compareTo(STARTING) < 0 ? new CommandTimeout(STARTING) : this;
    }

    /**
     * Gives the connection up when the server does not answer, and leaves its own limit as it was. A thread that was interrupted
     * before is so afterwards: since JDK 21 the socket of a virtual one would be closed, and what its body did not recorded.
     */
    public <T> T on(Connection connection, ConnectionSource.Work<T> work) throws SQLException {
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
            int wanted = (seconds() + 1) * 1000;
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
     * The limit of a statement, after which the driver cancels it. It ends a second before the connection is given up: then the
     * connection is still good, and the statement has certainly changed nothing.
     */
    int seconds() {
        return (int) Math.min(LONGEST_SECONDS, (timeout.toMillis() + 999) / 1000);
    }
}

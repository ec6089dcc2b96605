package io.idempotency.jdbc.connection;

import io.idempotency.runtime.store.IdempotencyStore.ClaimsRefusedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLWarning;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Bounds how long a caller waits for the answer to a statement ({@code idempotency.jdbc.command-timeout}). */
public record CommandTimeout(Duration timeout) {

    /** The least time-out at start-up, when connections are opened and the table is created. */
    private static final Duration STARTING = Duration.ofSeconds(30);

    private static final long LONGEST_SECONDS = Integer.MAX_VALUE / 1000 - 1;
    private static final int UNCHANGED = -1;

    /** Returns the time-out of a statement that may first wait for another transaction. */
    CommandTimeout plus(Duration wait) {
        return wait.isZero() ? this : new CommandTimeout(timeout.plus(wait));
    }

    public CommandTimeout starting() {
        return timeout.compareTo(STARTING) < 0 ? new CommandTimeout(STARTING) : this;
    }

    /**
     * Runs work on a connection, and gives the connection up when the server does not answer. A pending interrupt is
     * held back until the work is done: since JDK 21 it would close a virtual thread's socket, and the outcome would
     * not be recorded.
     */
    public <T> T on(Connection connection, ConnectionSource.Work<T> work) throws SQLException {
        boolean interrupted = Thread.interrupted();
        int before = UNCHANGED;
        try {
            before = shorten(connection);
            return work.on(connection);
        } finally {
            restore(connection, before);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Sets the connection's network time-out, and returns the one to restore, or UNCHANGED. */
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
            return UNCHANGED; // the statement's query time-out remains
        }
    }

    private static void restore(Connection connection, int before) {
        try {
            if (before != UNCHANGED) {
                connection.setNetworkTimeout(Runnable::run, before);
            }
        } catch (SQLException e) {
            // the connection broke
        }
    }

    /**
     * Throws when PostgreSQL warns: cancelled by this time-out, a statement ends its wait for the standbys, and
     * answers success although none may have what it wrote.
     */
    static void requireKept(@Nullable SQLWarning first) {
        for (SQLWarning warning = first; warning != null; warning = warning.getNextWarning()) {
            if (!"00000".equals(warning.getSQLState())) { // that of a notice which a trigger raises
                throw new ClaimsRefusedException(
                        "The record was written, but no standby may have it: " + warning.getMessage()
                                + ". If this was a claim, the body did not run.",
                        warning);
            }
        }
    }

    /**
     * Returns after how many seconds the driver cancels a statement. That is a second before the connection is given
     * up: the connection stays good, and the statement has certainly changed nothing.
     */
    int seconds() {
        return (int) Math.min(LONGEST_SECONDS, (timeout.toMillis() + 999) / 1000);
    }
}

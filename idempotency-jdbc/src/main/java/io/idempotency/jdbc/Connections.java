package io.idempotency.jdbc;

import io.micronaut.data.connection.ConnectionOperations;
import io.micronaut.data.connection.ConnectionStatus;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Lends a connection for one statement that is committed at once, whatever the caller is in the middle of: never a
 * transaction of the caller (its rollback would forget the claim), and never a second pooled connection while the
 * caller holds one (a pool of one would wait for itself).
 */
final class Connections implements ConnectionSource {

    private final ConnectionOperations<Connection> callers;
    private final DataSource pool;
    private final ConnectionSource unpooled;
    private final TimeLimit limit;
    private final @Nullable Together together;

    /**
     * Borrows nothing yet.
     *
     * @param callers knows which connection the caller holds
     * @param pool lends to callers that hold none
     * @param unpooled lends where the caller's own is no good
     * @param limit how long a caller waits
     * @param together sends what several callers ask on the pool; null to send each alone
     */
    Connections(
            ConnectionOperations<Connection> callers,
            DataSource pool,
            ConnectionSource unpooled,
            TimeLimit limit,
            @Nullable Together together) {
        this.callers = callers;
        this.pool = pool;
        this.unpooled = unpooled;
        this.limit = limit;
        this.together = together;
    }

    @Override
    public @Nullable Together together() throws SQLException {
        Optional<ConnectionStatus<Connection>> held = callers.findConnectionStatus();
        if (held.isPresent()) {
            return free(held.get().getConnection()) ? null : unpooled.together();
        }
        return together;
    }

    @Override
    public <T> T lend(Work<T> work) throws SQLException {
        Optional<ConnectionStatus<Connection>> held = callers.findConnectionStatus();
        if (held.isPresent()) {
            Connection connection = held.get().getConnection();
            return free(connection) ? limit.on(connection, work) : unpooled.lend(work);
        }
        return borrow(work);
    }

    /** The pool's side, also inside a transaction: for what only reads. */
    <T> T lendPooled(Work<T> work) throws SQLException {
        Optional<ConnectionStatus<Connection>> held = callers.findConnectionStatus();
        return held.isPresent() ? limit.on(held.get().getConnection(), work) : borrow(work);
    }

    private <T> T borrow(Work<T> work) throws SQLException {
        try (Connection connection = borrow()) {
            return limit.on(connection, borrowed -> committing(borrowed, work));
        }
    }

    /** Other pools than Hikari wait as long as they were told, which is half a minute and more. */
    private Connection borrow() throws SQLException {
        Connection connection = UnpooledConnections.HIKARI ? HikariConnections.borrow(pool, limit.timeout()) : null;
        return connection == null ? limit.open(pool::getConnection) : connection;
    }

    private static boolean free(Connection connection) throws SQLException {
        return connection.getAutoCommit() && !connection.isReadOnly();
    }

    /** A pool may be configured to hand out connections that do not commit by themselves. */
    private static <T> T committing(Connection connection, Work<T> work) throws SQLException {
        if (connection.getAutoCommit()) {
            return work.on(connection);
        }
        connection.setAutoCommit(true);
        try {
            return work.on(connection);
        } finally {
            connection.setAutoCommit(false);
        }
    }
}

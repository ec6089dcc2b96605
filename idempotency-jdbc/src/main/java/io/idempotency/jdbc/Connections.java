package io.idempotency.jdbc;

import io.micronaut.data.connection.ConnectionDefinition;
import io.micronaut.data.connection.ConnectionOperations;
import io.micronaut.data.connection.ConnectionStatus;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Lends a connection for one statement that is committed at once, whatever the caller is in the middle of: never a
 * transaction of the caller (its rollback would forget the claim), and never a second pooled connection while the
 * caller holds one (a pool of one would wait for itself).
 */
final class Connections implements ConnectionSource {

    private final ConnectionOperations<Connection> pooled;
    private final ConnectionSource unpooled;

    Connections(ConnectionOperations<Connection> pooled, ConnectionSource unpooled) {
        this.pooled = pooled;
        this.unpooled = unpooled;
    }

    @Override
    public <T> T lend(Work<T> work) throws SQLException {
        Optional<ConnectionStatus<Connection>> held = pooled.findConnectionStatus();
        if (held.isPresent()) {
            Connection connection = held.get().getConnection();
            return free(connection) ? work.on(connection) : unpooled.lend(work);
        }
        return borrow(work);
    }

    /** The pool's side, also inside a transaction: for what only reads. */
    <T> T lendPooled(Work<T> work) throws SQLException {
        Optional<ConnectionStatus<Connection>> held = pooled.findConnectionStatus();
        return held.isPresent() ? work.on(held.get().getConnection()) : borrow(work);
    }

    private <T> T borrow(Work<T> work) throws SQLException {
        try {
            return pooled.execute(ConnectionDefinition.DEFAULT, status -> {
                try {
                    return committing(status.getConnection(), work);
                } catch (SQLException e) {
                    throw new Tunnelled(e);
                }
            });
        } catch (Tunnelled e) {
            throw e.cause;
        }
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

    /** Carries the checked exception through the callback. */
    private static final class Tunnelled extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final SQLException cause;

        Tunnelled(SQLException cause) {
            super(null, cause, false, false);
            this.cause = cause;
        }
    }
}

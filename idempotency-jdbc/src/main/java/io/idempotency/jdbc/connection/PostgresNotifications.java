package io.idempotency.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Listens on a connection that it holds. */
public final class PostgresNotifications implements AutoCloseable {

    private static final Duration PROOF = Duration.ofSeconds(2);
    private static final int CHECK_SECONDS = 5;

    private final OwnConnections own;
    private final Connection connection;

    private PostgresNotifications(OwnConnections own, Connection connection) {
        this.own = own;
        this.connection = connection;
    }

    /**
     * Takes a connection and listens. Before it is trusted, it must hear what is said on another one: behind a pooler in transaction
     * mode LISTEN is accepted, and nothing ever arrives.
     *
     * @param own lends the connection
     * @param others where the statements go that settle records
     * @param channel what is listened to
     * @return what hears everything that is said from now on
     */
    public static PostgresNotifications open(OwnConnections own, ConnectionSource others, String channel)
            throws SQLException {
        PostgresNotifications opened = new PostgresNotifications(own, own.hold());
        try {
            own.within(opened.connection, connection -> {
                connection.setClientInfo("ApplicationName", "idempotency " + channel); // what operators see of it
                return execute(connection, "LISTEN \"" + channel + '"');
            });
            opened.prove(others, channel);
            return opened;
        } catch (SQLException | RuntimeException | LinkageError e) {
            opened.close();
            throw e;
        }
    }

    private static boolean execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.execute(sql);
        }
    }

    /** Settlements that are told meanwhile need no listener yet: waiting callers look when this is over. */
    private void prove(ConnectionSource others, String channel) throws SQLException {
        String probe = "probe " + UUID.randomUUID();
        others.lend(connection -> execute(connection, "NOTIFY \"" + channel + "\", '" + probe + '\''));
        long deadline = System.nanoTime() + PROOF.toNanos();
        while (!next(Duration.ofNanos(deadline - System.nanoTime())).contains(probe)) {
            if (System.nanoTime() >= deadline) {
                throw new SQLException("LISTEN was accepted, but a NOTIFY on another connection was not heard within "
                        + PROOF + ": a pooler in transaction mode is in between");
            }
        }
    }

    /** What was said, as soon as there is something; empty after that long without, where the server still answers. */
    List<String> next(Duration atMost) throws SQLException {
        // zero would mean for ever
        PGNotification[] heard =
                connection.unwrap(PGConnection.class).getNotifications((int) Math.max(1, atMost.toMillis()));
        List<String> said = new ArrayList<>();
        if (heard != null) {
            for (PGNotification notification : heard) {
                said.add(notification.getParameter());
            }
        }
        return said;
    }

    /** Fails when the other side is gone without a word. */
    void check() throws SQLException {
        if (!connection.isValid(CHECK_SECONDS)) {
            throw new SQLException("The connection that listens is not answered any more");
        }
    }

    /** Also ends a {@link #next} that another thread waits in. */
    @Override
    public void close() throws SQLException {
        own.end(connection);
    }
}

package io.idempotency.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Listens on a connection that it holds. Before the connection is trusted, it must hear what is said on another one: behind a
 * pooler in transaction mode LISTEN is accepted, and nothing ever arrives.
 *
 * @param own lends the connection
 * @param others where the statements go that settle records
 * @param channel what is listened to
 */
record PostgresNotifications(OwnConnections own, ConnectionSource others, String channel)
        implements NotificationSource {

    private static final Duration PROOF = Duration.ofSeconds(2);
    private static final int CHECK_SECONDS = 5;

    @Override
    public Hearing open() throws SQLException {
        Connection connection = own.hold();
        try {
            own.within(connection, this::listen);
            Listening listening = new Listening(own, connection, connection.unwrap(PGConnection.class));
            prove(listening);
            return listening;
        } catch (SQLException | RuntimeException | LinkageError e) {
            own.end(connection);
            throw e;
        }
    }

    private boolean listen(Connection connection) throws SQLException {
        connection.setClientInfo("ApplicationName", "idempotency " + channel); // what operators see of it
        try (Statement listen = connection.createStatement()) {
            return listen.execute("LISTEN \"" + channel + '"');
        }
    }

    /** Settlements that are told meanwhile need no listener yet: waiting callers look when this is over. */
    private void prove(Listening listening) throws SQLException {
        String probe = "probe " + UUID.randomUUID();
        others.lend(connection -> {
            try (Statement notify = connection.createStatement()) {
                return notify.execute("NOTIFY \"" + channel + "\", '" + probe + '\'');
            }
        });
        long deadline = System.nanoTime() + PROOF.toNanos();
        while (!listening.next(Duration.ofNanos(deadline - System.nanoTime())).contains(probe)) {
            if (System.nanoTime() >= deadline) {
                throw new SQLException("LISTEN was accepted, but a NOTIFY on another connection was not heard within "
                        + PROOF + ": a pooler in transaction mode is in between");
            }
        }
    }

    private record Listening(OwnConnections own, Connection connection, PGConnection driver) implements Hearing {

        @Override
        public List<String> next(Duration atMost) throws SQLException {
            // zero would mean for ever
            PGNotification[] heard = driver.getNotifications((int) Math.max(1, atMost.toMillis()));
            List<String> said = new ArrayList<>();
            if (heard != null) {
                for (PGNotification notification : heard) {
                    said.add(notification.getParameter());
                }
            }
            return said;
        }

        @Override
        public void check() throws SQLException {
            if (!connection.isValid(CHECK_SECONDS)) {
                throw new SQLException("The connection that listens is not answered any more");
            }
        }

        @Override
        public void close() {
            try {
                own.end(connection);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}

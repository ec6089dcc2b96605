package io.idempotency.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Borrows connections from Hikari, and opens them as Hikari opens its own. Only used where Hikari is on the class path. */
final class HikariConnections {

    /** As many as Hikari has unless configured. */
    static final int UNKNOWN = 10;

    private HikariConnections() {}

    /** Borrows one within the limit, on the caller's own thread. Null for another pool, and for one that is not running. */
    static @Nullable Connection borrow(DataSource pool, Duration limit) throws SQLException {
        if (pool instanceof HikariDataSource hikari
                && !hikari.isClosed()
                && hikari.getHikariPoolMXBean() instanceof HikariPool running) {
            return running.getConnection(Math.min(hikari.getConnectionTimeout(), limit.toMillis()));
        }
        return null;
    }

    /** How many it lends at once. */
    static int size(DataSource pool) {
        return pool instanceof HikariDataSource hikari ? Math.max(1, hikari.getMaximumPoolSize()) : UNKNOWN;
    }

    /** Null for another pool, and for one that has not started. */
    static @Nullable Connection open(@Nullable DataSource pool) throws SQLException {
        if (pool instanceof HikariDataSource hikari && hikari.getHikariPoolMXBean() instanceof HikariPool running) {
            return open(hikari, running.getUnwrappedDataSource());
        }
        return null;
    }

    private static Connection open(HikariDataSource hikari, DataSource source) throws SQLException {
        Connection connection = hikari.getUsername() == null
                ? source.getConnection()
                : source.getConnection(hikari.getUsername(), hikari.getPassword());
        try {
            prepare(hikari, connection);
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** Whatever decides which table a name means. The statements are atomic at any isolation level. */
    private static void prepare(HikariDataSource hikari, Connection connection) throws SQLException {
        connection.setAutoCommit(true);
        if (hikari.getCatalog() != null) {
            connection.setCatalog(hikari.getCatalog());
        }
        if (hikari.getSchema() != null) {
            connection.setSchema(hikari.getSchema());
        }
        if (hikari.getConnectionInitSql() != null) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(hikari.getConnectionInitSql());
            }
        }
    }
}

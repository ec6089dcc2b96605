package io.idempotency.jdbc.connection;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import io.micronaut.jdbc.BasicJdbcConfiguration;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lends the connections of the store's own pool, made from the configuration of the application's data source. So a
 * caller inside a transaction never waits for the connection that it holds, and its rollback undoes no record. A data
 * source whose configuration is unknown is used directly. Thread-safe.
 */
public final class OwnConnections implements ConnectionSource, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(OwnConnections.class);

    private final DataSource source;
    private final CommandTimeout limit;

    /** Makes the pool from the application's data source or its configuration. The pool opens no connection yet. */
    public OwnConnections(
            String name,
            DataSource datasource,
            @Nullable BasicJdbcConfiguration basics,
            CommandTimeout limit,
            int size) {
        HikariDataSource same = sameAs(datasource, basics);
        this.source = same == null ? datasource : same;
        this.limit = limit;
        if (same == null) {
            warnOfASingleConnection(name, datasource);
            return;
        }
        long atMost = Math.max(250, limit.timeout().toMillis()); // Hikari takes no less
        same.setPoolName("idempotency-" + name);
        same.setMaximumPoolSize(size);
        same.setMinimumIdle(1);
        same.setConnectionTimeout(atMost);
        same.setValidationTimeout(Math.min(same.getValidationTimeout(), atMost));
        same.setLeakDetectionThreshold(0);
        same.setAutoCommit(true);
        same.setReadOnly(false);
        if ("TRANSACTION_READ_UNCOMMITTED".equals(same.getTransactionIsolation())) {
            same.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        }
    }

    /** Returns a pool that is not started; null when the configuration of the data source is unknown. */
    private static @Nullable HikariDataSource sameAs(DataSource datasource, @Nullable BasicJdbcConfiguration basics) {
        if (datasource instanceof HikariDataSource hikari) {
            // reads the credentials of the application's pool each time, since they may be replaced while it runs
            HikariDataSource same = new HikariDataSource() {
                @Override
                public Credentials getCredentials() {
                    return hikari.getCredentials();
                }

                @Override
                public String getUsername() {
                    return hikari.getUsername();
                }

                @Override
                public String getPassword() {
                    return hikari.getPassword();
                }
            };
            hikari.copyStateTo(same);
            return same;
        }
        if (basics == null || basics.getUrl() == null || basics.getUrl().isBlank()) {
            return null;
        }
        HikariDataSource same = new HikariDataSource();
        same.setJdbcUrl(basics.getUrl());
        same.setUsername(basics.getUsername());
        same.setPassword(basics.getPassword());
        if (basics.getDriverClassName() != null) {
            same.setDriverClassName(basics.getDriverClassName());
        }
        return same;
    }

    private static void warnOfASingleConnection(String name, DataSource datasource) {
        try (Connection first = datasource.getConnection()) {
            datasource.getConnection().close();
        } catch (SQLException e) {
            LOG.warn(
                    "The data source '{}' is a bean of the application's, so the idempotency store uses it directly, and it"
                            + " lent no second connection ({}). A call inside a transaction on it will be refused, and its"
                            + " body does not run. Let it have more connections, or set datasources.{}.url, so that the"
                            + " store has a pool of its own.",
                    name,
                    e.getMessage(),
                    name);
        }
    }

    /** Tells whether a pool lends connections that commit nothing by themselves. Borrows one only where it cannot be asked. */
    public static boolean lendsManual(DataSource applications) throws SQLException {
        if (applications instanceof HikariDataSource hikari) {
            return !hikari.isAutoCommit();
        }
        try (Connection connection = applications.getConnection()) {
            return !connection.getAutoCommit();
        }
    }

    /** Tells whether the store has a pool of its own: a pool of the application's is never used itself. */
    public boolean pooled() {
        return source instanceof HikariDataSource;
    }

    @Override
    public <T> T lend(CommandTimeout within, Work<T> work) throws SQLException {
        try (Connection connection = borrow()) {
            return within.on(connection, borrowed -> committing(borrowed, work));
        }
    }

    /** Returns one more connection, for long use, by which the pool grows. */
    public Connection hold() throws SQLException {
        if (!(source instanceof HikariDataSource pool)) {
            throw new SQLException("The store has no pool of its own: the data source is a bean of the application's");
        }
        grow(pool, 1);
        try {
            return borrow();
        } catch (SQLException | RuntimeException e) {
            grow(pool, -1);
            throw e;
        }
    }

    /** Closes a connection that {@link #hold} returned, and shrinks the pool again. */
    public void end(Connection held) throws SQLException {
        if (source instanceof HikariDataSource pool) {
            try {
                held.abort(Runnable::run);
            } finally {
                pool.evictConnection(held);
                grow(pool, -1);
            }
        }
    }

    private synchronized void grow(HikariDataSource own, int by) {
        own.setMaximumPoolSize(own.getMaximumPoolSize() + by);
    }

    /** Returns a connection, which the caller closes. */
    public Connection borrow() throws SQLException {
        try {
            return source.getConnection();
        } catch (SQLTransientConnectionException e) { // whose state may be that of a former attempt to connect
            throw new SQLTransientConnectionException(
                    "no connection within idempotency.jdbc.command-timeout (" + limit.timeout() + "): "
                            + e.getMessage(),
                    "08001",
                    e);
        } catch (SQLException e) {
            throw e.getCause() instanceof InterruptedException ? NotSentException.interrupted("a connection") : e;
        }
    }

    /** Runs work with auto-commit: an application's data source may lend connections without it. */
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

    @Override
    public void close() {
        if (source instanceof HikariDataSource pool) {
            pool.close();
        }
    }
}

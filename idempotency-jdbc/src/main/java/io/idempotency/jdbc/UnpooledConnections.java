package io.idempotency.jdbc;

import io.micronaut.jdbc.BasicJdbcConfiguration;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Connections beside the pool, for a caller that is inside a transaction of the same data source: opened for one
 * statement, closed after it, a few at a time.
 */
final class UnpooledConnections {

    private static final int AT_ONCE = 4;
    private static final long PATIENCE_SECONDS = 30;

    private final String datasource;
    private final @Nullable BasicJdbcConfiguration configuration;
    private final Semaphore permits = new Semaphore(AT_ONCE, true);

    UnpooledConnections(String datasource, @Nullable BasicJdbcConfiguration configuration) {
        this.datasource = datasource;
        this.configuration = configuration;
    }

    <T> T lend(Lender.Work<T> work) throws SQLException {
        await();
        try (Connection connection = openFor()) {
            connection.setAutoCommit(true);
            return work.on(connection);
        } finally {
            permits.release();
        }
    }

    private void await() {
        try {
            if (permits.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw refused("none of the " + AT_ONCE + " connections beside the pool became free", null);
    }

    private Connection openFor() {
        try {
            return open();
        } catch (SQLException e) {
            throw refused("another one could not be opened: " + e.getMessage(), e);
        }
    }

    /** One that the caller closes. */
    Connection open() throws SQLException {
        String url = configuration == null ? null : configuration.getUrl();
        if (configuration == null || url == null || url.isBlank()) {
            throw new SQLException("datasources." + datasource + ".url, by which to open a connection, is not set");
        }
        return DriverManager.getConnection(url, configuration.getUsername(), configuration.getPassword());
    }

    private JdbcStoreException refused(String reason, @Nullable SQLException cause) {
        return new JdbcStoreException(
                "The call is inside a transaction on the data source '" + datasource
                        + "', whose connection a rollback would take the record with, and " + reason
                        + ". The record was not touched; if this was a claim, the body did not run. Call the"
                        + " operation outside the transaction, or declare it transactional = true, or give the store"
                        + " a data source of its own with idempotency.jdbc.datasource.",
                cause);
    }
}

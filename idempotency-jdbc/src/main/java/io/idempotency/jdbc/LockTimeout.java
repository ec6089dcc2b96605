package io.idempotency.jdbc;

import io.micronaut.context.exceptions.ConfigurationException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** How long a statement waits for a row of another transaction: where each database keeps it, and in which unit. */
enum LockTimeout {
    H2("SELECT LOCK_TIMEOUT()", "SET LOCK_TIMEOUT %s", 1),
    /** Local to the transaction. */
    POSTGRESQL("SELECT current_setting('lock_timeout')", "SELECT set_config('lock_timeout', '%s', true)", 1),
    MYSQL("SELECT @@innodb_lock_wait_timeout", "SET innodb_lock_wait_timeout = %s", 1000),
    SQL_SERVER("SELECT @@LOCK_TIMEOUT", "SET LOCK_TIMEOUT %s", 1);

    private final String read;
    private final String write;
    private final int unitMillis;

    LockTimeout(String read, String write, int unitMillis) {
        this.read = read;
        this.write = write;
        this.unitMillis = unitMillis;
    }

    static LockTimeout of(Connection connection) throws SQLException {
        return switch (Dialect.of(connection.getMetaData().getDatabaseProductName())) {
            case H2 -> H2;
            case POSTGRESQL -> POSTGRESQL;
            case MARIADB, MYSQL -> MYSQL;
            case SQL_SERVER -> SQL_SERVER;
            case ORACLE ->
                throw new ConfigurationException("transactional = true is not possible on Oracle: a duplicate would"
                        + " wait for the first call's transaction without a limit. The body did not run.");
        };
    }

    String read(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(read)) {
            rows.next();
            return rows.getString(1);
        }
    }

    void write(Connection connection, String value) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(write.formatted(value));
        }
    }

    /** Not zero, which means for ever in some of them. */
    String value(Duration duration) {
        return Long.toString(Math.max(1, duration.toMillis() / unitMillis));
    }
}

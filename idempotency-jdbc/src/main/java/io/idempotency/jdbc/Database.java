package io.idempotency.jdbc;

import io.idempotency.runtime.store.StoredRecord;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs one statement, and sends it again when the database rolled it back in favour of another: not within a larger
 * transaction, which is rolled back with it.
 */
final class Database {

    private static final int ATTEMPTS = 12;

    private final ConnectionSource connections;
    private final int attempts;

    private Database(ConnectionSource connections, int attempts) {
        this.connections = connections;
        this.attempts = attempts;
    }

    static Database of(ConnectionSource connections) {
        return new Database(connections, ATTEMPTS);
    }

    static Database in(TransactionConnectionSource transaction) {
        return new Database(transaction, 1);
    }

    int update(Sql sql, Values values) {
        try {
            return run(sql, values, Database::changed, false);
        } catch (JdbcStoreException e) {
            Sql quietly = sql.quietly();
            if (quietly == null || !mayGoOn(e)) {
                throw e;
            }
            // whoever waits asks before long; the record must not depend on their being told
            return run(quietly, values, Database::changed, false);
        }
    }

    /** A larger transaction may not: it ended with the statement. */
    private boolean mayGoOn(JdbcStoreException e) {
        return attempts > 1 && e.getCause() instanceof SQLException cause && SqlStates.cannotTell(cause);
    }

    /** A statement that tells somebody answers a row for every row it changed. */
    private static int changed(PreparedStatement statement) throws SQLException {
        if (!statement.execute()) {
            return statement.getUpdateCount();
        }
        try (ResultSet rows = statement.getResultSet()) {
            int count = 0;
            while (rows.next()) {
                count++;
            }
            return count;
        }
    }

    /** The record that a claim answers; null when it does not say, and when another one inserted the key first. */
    @Nullable
    StoredRecord claimed(Sql sql, Values values) {
        try {
            return first(run(
                    sql, values, statement -> statement.execute() ? read(statement.getResultSet()) : List.of(), true));
        } catch (JdbcStoreException e) {
            if (e.getCause() instanceof SQLException cause && SqlStates.duplicateKey(cause)) {
                return null;
            }
            throw e;
        }
    }

    /** The first record; null without one. */
    @Nullable
    StoredRecord record(Sql sql, Values values) {
        return first(records(sql, values));
    }

    List<StoredRecord> records(Sql sql, Values values) {
        return run(sql, values, statement -> read(statement.executeQuery()), false);
    }

    /** The first column of the first row, if there is one. */
    Optional<String> text(Sql sql, Values values) {
        return run(
                sql,
                values,
                statement -> {
                    try (ResultSet rows = statement.executeQuery()) {
                        return rows.next() ? Optional.ofNullable(rows.getString(1)) : Optional.empty();
                    }
                },
                false);
    }

    private static @Nullable StoredRecord first(List<StoredRecord> records) {
        return records.isEmpty() ? null : records.get(0);
    }

    private static List<StoredRecord> read(ResultSet rows) throws SQLException {
        try (rows) {
            List<StoredRecord> records = new ArrayList<>();
            while (rows.next()) {
                records.add(RecordRow.read(rows));
            }
            return records;
        }
    }

    private interface Execution<T> {
        T of(PreparedStatement statement) throws SQLException;
    }

    private <T> T run(Sql sql, Values values, Execution<T> execution, boolean claim) {
        for (int attempt = 1; ; attempt++) {
            boolean again = attempt > 1;
            ConnectionSource.Work<T> work = connection ->
                    again ? calmly(connection, sql, values, execution) : once(connection, sql, values, execution);
            try {
                return claim ? connections.lendForClaim(work) : connections.lend(work);
            } catch (SQLException e) {
                if (attempt == attempts || !SqlStates.rolledBack(e)) {
                    throw failed(e);
                }
                pause(attempt);
            }
        }
    }

    private static <T> T once(Connection connection, Sql sql, Values values, Execution<T> execution)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql.text())) {
            sql.bind(statement, values);
            return execution.of(statement);
        }
    }

    /** One statement is atomic at any isolation level; at this one it is not rolled back for what others do beside it. */
    private static <T> T calmly(Connection connection, Sql sql, Values values, Execution<T> execution)
            throws SQLException {
        if (Dialect.of(connection.getMetaData().getDatabaseProductName()) == Dialect.POSTGRESQL) {
            return inCalmTransaction(connection, sql, values, execution);
        }
        int before = connection.getTransactionIsolation();
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        try {
            return once(connection, sql, values, execution);
        } finally {
            connection.setTransactionIsolation(before);
        }
    }

    /** The session keeps its level: behind a pooler in transaction mode it is somebody else's a moment later. */
    private static <T> T inCalmTransaction(Connection connection, Sql sql, Values values, Execution<T> execution)
            throws SQLException {
        connection.setAutoCommit(false);
        try (Statement level = connection.createStatement()) {
            level.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
            T answer = once(connection, sql, values, execution);
            connection.commit();
            return answer;
        } catch (SQLException | RuntimeException e) {
            rollBack(connection, e);
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private static void rollBack(Connection connection, Exception failure) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }

    private static void pause(int attempt) {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(TimeUnit.MILLISECONDS.toNanos(attempt)));
    }

    private static JdbcStoreException failed(SQLException e) {
        return new JdbcStoreException(
                "The idempotency store's database answered with SQLState " + e.getSQLState() + ": " + e.getMessage(),
                e);
    }
}

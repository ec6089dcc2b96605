package io.idempotency.jdbc;

import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.UnreadableRecordException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one statement, and sends it again when the database rolled it back in favour of another: not within a larger
 * transaction, which is rolled back with it.
 */
final class StatementRunner {

    private static final Logger LOG = LoggerFactory.getLogger(StatementRunner.class);
    private static final int ATTEMPTS = 12;

    private final ConnectionSource connections;
    private final Dialect dialect;
    private final CommandTimeout limit;
    private final Durability durability;
    private final int attempts;

    private StatementRunner(
            ConnectionSource connections, Dialect dialect, CommandTimeout limit, Durability durability, int attempts) {
        this.connections = connections;
        this.dialect = dialect;
        this.limit = limit;
        this.durability = durability;
        this.attempts = attempts;
    }

    static StatementRunner of(
            ConnectionSource connections, Dialect dialect, CommandTimeout limit, Durability durability) {
        return new StatementRunner(connections, dialect, limit, durability, ATTEMPTS);
    }

    StatementRunner in(Connection transaction, Duration lockTimeout) {
        ConnectionSource joined = new Transactions.Joined(transaction, dialect, lockTimeout, limit);
        return new StatementRunner(joined, dialect, limit, durability, 1);
    }

    /** Whether a larger transaction decides about what is written here. */
    boolean joined() {
        return attempts == 1;
    }

    /** Claims a row that is there; true when it was still claimable. */
    boolean reclaimed(Sql sql, StatementValues values) {
        return sent(sql, values, StatementRunner::changed, true) == 1;
    }

    int update(Sql sql, StatementValues values) {
        Integer changed = asked(SharedStatement.of(sql, rows -> 1, false), values, () -> changed(sql, values));
        return changed == null ? 0 : changed;
    }

    /** Sends a statement for many in one batch; answers how many rows each of them changed, where the driver says so. */
    int[] updates(Sql sql, List<StatementValues> all) {
        return sent(
                sql,
                statement -> {
                    for (StatementValues values : all) {
                        sql.bind(statement, values);
                        statement.addBatch();
                    }
                },
                PreparedStatement::executeBatch,
                false);
    }

    private int changed(Sql sql, StatementValues values) {
        try {
            return sent(sql, values, StatementRunner::changed, false);
        } catch (JdbcStoreException e) {
            Sql quietly = sql.quietly();
            if (quietly == null || !mayGoOn(e)) {
                throw e;
            }
            // waiting callers ask before long; the record must not depend on a notification
            return sent(quietly, values, StatementRunner::changed, false);
        }
    }

    /** A larger transaction may not: it ended with the statement. */
    private boolean mayGoOn(JdbcStoreException e) {
        return !joined() && e.getCause() instanceof SQLException cause && dialect.cannotTell(cause);
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
    StoredRecord claimed(Sql sql, StatementValues values) {
        boolean takesOver = Integer.valueOf(1).equals(values.get(Sql.Param.TAKE_OVER));
        return asked(
                takesOver ? null : SharedStatement.of(sql, RecordRow::read, true),
                values,
                () -> inserted(sql, values, RecordRow::read));
    }

    /** What a claim answers of a key that was absent; null for one that was not. */
    @Nullable
    InsertedClaim fresh(Sql sql, StatementValues values) {
        return asked(
                SharedStatement.of(sql, InsertedClaim::read, true),
                values,
                () -> inserted(sql, values, InsertedClaim::read));
    }

    private <T> @Nullable T inserted(Sql sql, StatementValues values, SharedStatement.Reading<T> reading) {
        try {
            return first(sent(
                    sql,
                    values,
                    statement -> statement.execute() ? read(statement.getResultSet(), reading) : List.<T>of(),
                    true));
        } catch (JdbcStoreException e) {
            if (e.getCause() instanceof SQLException cause && Dialect.duplicateKey(cause)) {
                return null;
            }
            throw e;
        }
    }

    /** The first record; null without one. */
    @Nullable
    StoredRecord record(Sql sql, StatementValues values) {
        return asked(
                SharedStatement.of(sql, RecordRow::read, false),
                values,
                () -> first(sent(sql, values, statement -> read(statement.executeQuery(), RecordRow::read), false)));
    }

    /** As {@link #record} after a statement that changed nothing: a transaction's snapshot may be older than what stopped it. */
    @Nullable
    StoredRecord current(Sql sql, StatementValues values) {
        return record(joined() ? sql.ending(dialect.current()) : sql, values);
    }

    /** The records that can be read: one that cannot does not hide the others from an operator. */
    List<StoredRecord> readable(Sql sql, StatementValues values) {
        return sent(
                sql,
                values,
                statement -> {
                    List<StoredRecord> records = new ArrayList<>();
                    try (ResultSet rows = statement.executeQuery()) {
                        while (rows.next()) {
                            readable(rows).ifPresent(records::add);
                        }
                    }
                    return records;
                },
                false);
    }

    private static Optional<StoredRecord> readable(ResultSet row) throws SQLException {
        try {
            return Optional.ofNullable(RecordRow.read(row));
        } catch (UnreadableRecordException | IllegalArgumentException e) {
            LOG.warn("Left out of a list: {}", e.getMessage());
            return Optional.empty();
        }
    }

    /** The first column of the first row, if there is one. */
    Optional<String> text(Sql sql, StatementValues values) {
        return sent(
                sql,
                values,
                statement -> {
                    try (ResultSet rows = statement.executeQuery()) {
                        return rows.next() ? Optional.ofNullable(rows.getString(1)) : Optional.empty();
                    }
                },
                false);
    }

    /** What the server behind some connection keeps, against what is asked of it. */
    Map<String, String> durability() {
        try {
            return connections.lend(durability::health);
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    private static <T> @Nullable T first(List<T> answers) {
        return answers.isEmpty() ? null : answers.get(0);
    }

    private static <T> List<T> read(ResultSet rows, SharedStatement.Reading<T> reading) throws SQLException {
        try (rows) {
            List<T> answers = new ArrayList<>(1);
            while (rows.next()) {
                T answer = reading.of(rows);
                if (answer != null) {
                    answers.add(answer);
                }
            }
            return answers;
        }
    }

    private interface Binding {
        void to(PreparedStatement statement) throws SQLException;
    }

    private interface Execution<T> {
        T of(PreparedStatement statement) throws SQLException;
    }

    /**
     * Sends a statement for this caller, or together with those of others.
     *
     * @param along how it is sent for many; null where it is not
     * @param alone sends the statement for this caller
     */
    private <T> @Nullable T asked(
            @Nullable SharedStatement<T> along, StatementValues values, Supplier<@Nullable T> alone) {
        if (along == null) {
            return alone.get();
        }
        try {
            StatementGroups together = connections.together();
            return together == null
                    ? alone.get()
                    : together.ask(
                            along.sql(),
                            new StatementGroups.Question<>(values, alone, callers -> answers(along, callers)));
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    private <T> Map<String, Optional<T>> answers(SharedStatement<T> along, List<StatementValues> callers) {
        return sent(along.sql(), statement -> along.sql().bind(statement, callers), along::answers, along.claim());
    }

    private <T> T sent(Sql sql, StatementValues values, Execution<T> execution, boolean claim) {
        return sent(sql, statement -> sql.bind(statement, values), execution, claim);
    }

    private <T> T sent(Sql sql, Binding binding, Execution<T> execution, boolean claim) {
        CommandTimeout toAnswer = claim ? limit.plus(connections.waitOfClaim()) : limit;
        ConnectionSource.Work<T> once = connection -> {
            if (claim) {
                durability.require(connection);
            }
            return once(connection, sql, binding, execution, toAnswer);
        };
        for (int attempt = 1; ; attempt++) {
            ConnectionSource.Work<T> work = attempt == 1 ? once : connection -> dialect.calmly(connection, once);
            try {
                return claim ? connections.lendForClaim(work) : connections.lend(work);
            } catch (SQLException e) {
                if (attempt == attempts || !dialect.rolledBack(e)) {
                    throw failed(e);
                }
                pause(attempt);
            }
        }
    }

    private <T> T once(Connection connection, Sql sql, Binding binding, Execution<T> execution, CommandTimeout toAnswer)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql.text())) {
            toAnswer.on(statement, dialect);
            binding.to(statement);
            return execution.of(statement);
        }
    }

    private static void pause(int attempt) {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(TimeUnit.MILLISECONDS.toNanos(attempt)));
    }

    private JdbcStoreException failed(SQLException e) {
        String said = "SQLState " + e.getSQLState() + ": " + e.getMessage();
        String message = "The idempotency store's database answered with " + said;
        if (e instanceof Durability.TooLittle || e instanceof CommandTimeout.Interrupted) {
            message = String.valueOf(e.getMessage());
        } else if (dialect.readOnly(e)) {
            message = "The idempotency store's database takes no writes (" + said + "): it is a standby, or set to"
                    + " read-only. Nothing was written; if this was a claim, the body did not run. Let the data source"
                    + " (idempotency.jdbc.datasource) reach the primary server.";
        } else if (Dialect.unanswered(e)) {
            message =
                    "The idempotency store's database did not answer (" + said + "). A connection, and every statement,"
                            + " may take idempotency.jdbc.command-timeout (" + limit.timeout() + ").";
        }
        return new JdbcStoreException(message, e);
    }
}

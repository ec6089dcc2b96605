package io.idempotency.jdbc.connection;

import io.idempotency.jdbc.connection.ConnectionSource.Work;
import io.idempotency.jdbc.sql.Dialect;
import io.idempotency.jdbc.sql.Dialect.Trouble;
import io.idempotency.jdbc.sql.RecordRow;
import io.idempotency.jdbc.sql.Sql;
import io.idempotency.jdbc.sql.Sql.Param;
import io.idempotency.jdbc.sql.StatementValues;
import io.idempotency.jdbc.sql.Statements;
import io.idempotency.jdbc.sql.Statements.Verb;
import io.idempotency.runtime.group.GroupCommit.Answer;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.UnreadableRecordException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs statements. Sends a statement again that the database rolled back in favour of another, but not in a transaction
 * of the caller's, which is rolled back with it.
 *
 * @param groups sends statements for many callers; null to send each alone
 * @param joined the transaction of the caller's that the statements are part of; null when each is committed by itself
 */
public record StatementRunner(
        ConnectionSource connections,
        Statements statements,
        CommandTimeout limit,
        ClaimCheck check,
        OverdueStatements overdue,
        @Nullable StatementGroups groups,
        @Nullable JoinedTransaction joined) {

    private static final int ATTEMPTS = 12;

    /** Decides whether claims are taken. */
    public interface ClaimCheck {
        /** Throws when no claim may be sent on the connection. */
        void require(Connection connection) throws SQLException;

        /** Tells whether standbys have to have what a caller is told. */
        default boolean isReplicationRequired() {
            return false;
        }
    }

    /** Reads the current row; null for a row that is left out. */
    public interface Reading<T> {
        @Nullable
        T of(ResultSet row) throws SQLException;
    }

    private interface Execution<T> {
        T of(PreparedStatement statement) throws SQLException;
    }

    /** Returns a runner in a transaction, where a claim waits for another transaction's claim of the key. */
    public StatementRunner in(Connection transaction, Duration wait) {
        JoinedTransaction its = new JoinedTransaction(transaction, wait);
        return new StatementRunner(its, statements, limit, check, overdue, null, its);
    }

    public boolean isJoined() {
        return joined != null;
    }

    private Dialect dialect() {
        return statements.dialect();
    }

    public int update(Verb verb, StatementValues values) {
        Integer changed = asked(statements.sql(verb), values, row -> 1, each -> changed(verb, each));
        return changed == null ? 0 : changed;
    }

    /** Sends a statement for many values in one batch. Returns how many rows each changed, where the driver says so. */
    public int[] updates(Verb verb, List<StatementValues> all) {
        Sql sql = statements.sql(verb);
        return sent(sql, statement -> {
            for (StatementValues values : all) {
                sql.bind(statement, values);
                statement.addBatch();
            }
            return statement.executeBatch();
        });
    }

    private int changed(Verb verb, StatementValues values) {
        try {
            return sent(statements.sql(verb), values, StatementRunner::changed);
        } catch (JdbcStoreException e) {
            Statements quiet = statements.quiet();
            if (quiet == null || isJoined() || !e.is(Trouble.CANNOT_TELL)) {
                throw e;
            }
            return sent(quiet.sql(verb), values, StatementRunner::changed);
        }
    }

    /** Returns how many rows were changed: a statement that notifies waiting callers returns a row for each. */
    private static int changed(PreparedStatement statement) throws SQLException {
        return statement.execute() ? read(statement, row -> 1).size() : statement.getUpdateCount();
    }

    /** Claims an absent key. Returns null when the key exists, or when the database does not say. */
    public RecordRow.@Nullable Inserted claim(StatementValues values) {
        if (joined == null) {
            return first(Verb.CLAIM, values, RecordRow.Inserted::read);
        }
        values.with(Param.LOCK_WAIT, joined.lockWait(dialect()));
        return first(Verb.CLAIM_JOINED, values, RecordRow.Inserted::read);
    }

    public @Nullable StoredRecord find(StatementValues id) {
        return first(Verb.FIND, id, RecordRow::read);
    }

    /** Finds a record outside the transaction's snapshot, which may be older than the row that a statement met. */
    public @Nullable StoredRecord current(StatementValues id) {
        return first(isJoined() ? Verb.FIND_CURRENT : Verb.FIND, id, RecordRow::read);
    }

    /** Returns the first row that is not left out; null without one, and for the insert of a key that exists. */
    public <T> @Nullable T first(Verb verb, StatementValues values, Reading<T> reading) {
        return asked(statements.sql(verb), values, reading, each -> {
            try {
                List<T> answers = rows(verb, each, reading);
                return answers.isEmpty() ? null : answers.get(0);
            } catch (JdbcStoreException e) {
                if (e.is(Trouble.DUPLICATE_KEY)) {
                    return null;
                }
                throw e;
            }
        });
    }

    public <T> List<T> rows(Verb verb, StatementValues values, Reading<T> reading) {
        return sent(
                statements.sql(verb), values, statement -> statement.execute() ? read(statement, reading) : List.of());
    }

    /** Returns the first column of the first row, if there is one. */
    public Optional<String> text(Verb verb, StatementValues values) {
        return rows(verb, values, row -> row.getString(1)).stream().findFirst();
    }

    public Optional<Long> number(Verb verb, StatementValues values) {
        return text(verb, values).map(Long::valueOf);
    }

    private static <T> List<T> read(PreparedStatement executed, Reading<T> reading) throws SQLException {
        try (ResultSet rows = executed.getResultSet()) {
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

    /** Sends a statement alone, or together with those of other callers. */
    private <T> @Nullable T asked(
            Sql sql, StatementValues values, Reading<T> reading, Function<StatementValues, @Nullable T> alone) {
        Sql many = sql.together();
        if (groups == null || many == null || values.bytes() > StatementGroups.LARGEST) {
            return alone.apply(values);
        }
        try {
            return groups.ask(
                    many,
                    values,
                    limit,
                    alone,
                    callers -> sent(many, statement -> {
                        many.bind(statement, callers);
                        return answers(statement, reading);
                    }));
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    /** Reads the answers by the record's id, the first column. The caller of an unreadable row asks again, alone. */
    private static Map<String, Answer<Object>> answers(PreparedStatement statement, Reading<?> reading)
            throws SQLException {
        Map<String, Answer<Object>> answers = new HashMap<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                String id = rows.getString(1);
                try {
                    answers.put(id, new Answer<>(reading.of(rows), false));
                } catch (UnreadableRecordException | IllegalArgumentException e) {
                    answers.put(id, new Answer<>(null, true));
                }
            }
        }
        return answers;
    }

    private <T> T sent(Sql sql, StatementValues values, Execution<T> execution) {
        return sent(sql, statement -> {
            sql.bind(statement, values);
            return execution.of(statement);
        });
    }

    private <T> T sent(Sql sql, Execution<T> execution) {
        CommandTimeout within = joined != null && sql.verb().claims() ? limit.plus(joined.waitOfClaim()) : limit;
        Work<T> once = connection -> once(connection, sql, within, execution);
        for (int attempt = 1; ; attempt++) {
            Work<T> work = attempt == 1 ? once : connection -> calmly(connection, sql, once);
            try {
                return connections.lend(within, work);
            } catch (SQLException e) {
                if (isJoined() || attempt == ATTEMPTS || !dialect().is(Trouble.ROLLED_BACK, e)) {
                    throw failed(e);
                }
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(TimeUnit.MILLISECONDS.toNanos(attempt)));
            }
        }
    }

    private <T> T once(Connection connection, Sql sql, CommandTimeout within, Execution<T> execution)
            throws SQLException {
        Work<T> prepared = same -> {
            if (sql.verb().claims() || isKept(sql)) {
                check.require(same);
            }
            try (PreparedStatement statement = same.prepareStatement(sql.text())) {
                T answer = inTime(statement, within, execution);
                if (isKept(sql)) {
                    CommandTimeout.requireKept(statement.getWarnings());
                }
                return answer;
            }
        };
        return joined != null && sql.verb().claims()
                ? joined.claiming(dialect(), sql, prepared)
                : prepared.on(connection);
    }

    private <T> T inTime(PreparedStatement statement, CommandTimeout within, Execution<T> execution)
            throws SQLException {
        if (dialect() == Dialect.POSTGRESQL) {
            overdue.watch(statement, within.seconds());
        } else if (dialect() != Dialect.H2) {
            // H2's time-out would apply to the whole session, and cancelling a statement may close its file
            statement.setQueryTimeout(within.seconds());
        }
        try {
            return execution.of(statement);
        } finally {
            overdue.done(statement);
        }
    }

    /** Runs work at READ COMMITTED, where other statements do not roll it back; a statement is atomic at any level. */
    private <T> T calmly(Connection connection, Sql sql, Work<T> work) throws SQLException {
        String calm = dialect().text("calm");
        if (calm.isEmpty()) {
            return work.on(connection);
        }
        T answer;
        connection.setAutoCommit(false);
        try {
            Sql.execute(connection, calm);
            answer = work.on(connection);
            connection.clearWarnings(); // those of its opening
        } finally {
            connection.setAutoCommit(true); // which commits, and waits for the standbys
        }
        if (isKept(sql)) {
            CommandTimeout.requireKept(connection.getWarnings());
        }
        return answer;
    }

    /** Tells whether standbys have to have what the statement wrote, because a caller acts on it for good. */
    private boolean isKept(Sql sql) {
        return (sql.verb().claims() || sql.verb() == Verb.SEEN) && check.isReplicationRequired();
    }

    public <T> T ask(Work<T> work) {
        try {
            return connections.lend(limit, work);
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    private JdbcStoreException failed(SQLException e) {
        return JdbcStoreException.of(e, dialect(), limit);
    }
}

package io.idempotency.jdbc.connection;

import io.idempotency.jdbc.connection.ConnectionSource.NotSentException;
import io.idempotency.jdbc.sql.Dialect;
import io.idempotency.jdbc.sql.Sql;
import io.idempotency.jdbc.sql.Sql.Param;
import io.idempotency.jdbc.sql.StatementValues;
import io.idempotency.runtime.group.GroupCommit;
import io.idempotency.runtime.group.GroupCommit.Answer;
import io.idempotency.runtime.store.IdempotencyStore.ClaimsRefusedException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sends statements for many callers at once, each kind of statement in a group of its own. Thread-safe. */
public final class StatementGroups {

    /** How many writes are sent at a time: more would wait for each other, which reads do not. */
    private static final int WRITES = 2;

    private static final int READS = 4;

    /** The largest result, in bytes, that is sent together with other statements. */
    static final long LARGEST = 1 << 16;

    private final int connections;
    private final Map<String, GroupCommit<StatementValues, Object>> groups = new ConcurrentHashMap<>();

    public StatementGroups(int connections) {
        this.connections = connections;
    }

    /**
     * Sends a caller's statement alone or together with those of other callers, and returns its answer.
     *
     * @param limit the longest wait for its place
     * @param together sends the statement for many callers, and answers by record id
     */
    @SuppressWarnings("unchecked") // a group has one statement, and so one type of answers
    <T> @Nullable T ask(
            Sql many,
            StatementValues values,
            CommandTimeout limit,
            Function<StatementValues, @Nullable T> alone,
            Function<List<StatementValues>, Map<String, Answer<Object>>> together)
            throws SQLException {
        boolean reads = many.text().startsWith("SELECT");
        int width = Math.min(reads ? READS : WRITES, connections);
        Sender sender = new Sender(reads, (Function<StatementValues, @Nullable Object>) alone, together);
        try {
            return (T) groups.computeIfAbsent(many.text(), text -> new GroupCommit<>(width, connections, sender))
                    .ask(values, limit.timeout().toNanos());
        } catch (TimeoutException e) {
            throw new SQLTransientConnectionException(
                    "no place within idempotency.jdbc.command-timeout (" + limit.timeout()
                            + ") among the statements that are sent for many; nothing was sent",
                    "08001",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw NotSentException.interrupted("its place among the statements that are sent for many");
        }
    }

    private record Sender(
            boolean reads,
            Function<StatementValues, @Nullable Object> single,
            Function<List<StatementValues>, Map<String, Answer<Object>>> many)
            implements GroupCommit.Sender<StatementValues, Object> {

        @Override
        public @Nullable Object alone(StatementValues caller) {
            return single.apply(caller);
        }

        @Override
        public List<Answer<Object>> together(List<StatementValues> callers) {
            Map<String, Answer<Object>> answers = many.apply(callers);
            return callers.stream()
                    .map(caller -> answers.getOrDefault(id(caller), new Answer<>(null, false)))
                    .toList();
        }

        /** Returns true when nothing was sent or the database answered an error; without an answer, that is unknown. */
        @Override
        public boolean didNothing(RuntimeException failure) {
            return failure instanceof JdbcStoreException
                    && failure.getCause() instanceof SQLException cause
                    && (cause instanceof NotSentException || !Dialect.unanswered(cause));
        }

        @Override
        public boolean isInterruption(RuntimeException failure) {
            return !(failure instanceof ClaimsRefusedException); // the database answered
        }

        /** Returns the record's id for a write, so that two writes of a record are not in one statement. */
        @Override
        public Object subject(StatementValues caller) {
            return reads ? caller : id(caller);
        }

        @Override
        public long bytes(StatementValues caller) {
            return caller.bytes();
        }

        private static String id(StatementValues caller) {
            return (String) Objects.requireNonNull(caller.get(Param.ID));
        }
    }
}

package io.idempotency.jdbc.connection;

import io.idempotency.jdbc.connection.ConnectionSource.NotSentException;
import io.idempotency.jdbc.sql.Dialect;
import io.idempotency.jdbc.sql.Sql;
import io.idempotency.jdbc.sql.Sql.Param;
import io.idempotency.jdbc.sql.StatementValues;
import io.idempotency.runtime.group.GroupCommit;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sends statements for many callers at once, each kind of statement in a group of its own. Thread-safe. */
public final class StatementGroups {

    /** How many writes are sent at a time: more would wait for each other, which reads do not. */
    private static final int WRITES = 2;

    private static final int READS = 4;

    /** The largest result, in bytes, that is sent together with other statements. */
    private static final long LARGEST = 1 << 16;

    private final Duration limit;
    private final int connections;
    private final Map<String, GroupCommit<Question<?>, Object>> groups = new ConcurrentHashMap<>();

    /** Creates groups in which a caller waits for its place no longer than the limit. */
    StatementGroups(Duration limit, int connections) {
        this.limit = limit;
        this.connections = connections;
    }

    /**
     * One caller's statement, to be sent alone, or together with those of other callers and then answered by record id.
     */
    record Question<T>(
            StatementValues values,
            Supplier<@Nullable T> alone,
            Function<List<StatementValues>, Map<String, GroupCommit.Answer<Object>>> together) {

        String id() {
            return (String) Objects.requireNonNull(values.get(Param.ID));
        }
    }

    /** Sends a caller's statement alone or together with those of other callers, and returns its answer. */
    @SuppressWarnings("unchecked") // a group has one statement, and so one type of answers
    <T> @Nullable T ask(Sql many, Question<T> question) throws SQLException {
        if (question.values().bytes() > LARGEST) {
            return question.alone().get();
        }
        try {
            return (T) groups.computeIfAbsent(many.text(), text -> group(many)).ask(question, limit.toNanos());
        } catch (TimeoutException e) {
            throw new SQLTransientConnectionException(
                    "no place within idempotency.jdbc.command-timeout (" + limit
                            + ") among the statements that are sent for many; nothing was sent",
                    "08001",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw NotSentException.interrupted("its place among the statements that are sent for many");
        }
    }

    private GroupCommit<Question<?>, Object> group(Sql many) {
        int width = Math.min(many.reads() ? READS : WRITES, connections);
        return new GroupCommit<>(width, connections, new Sender(many.reads()));
    }

    private record Sender(boolean reads) implements GroupCommit.Sender<Question<?>, Object> {

        private static final GroupCommit.Answer<Object> NONE = new GroupCommit.Answer<>(null, false);

        @Override
        public @Nullable Object alone(Question<?> question) {
            return question.alone().get();
        }

        @Override
        public List<GroupCommit.Answer<Object>> together(List<Question<?>> questions) {
            List<StatementValues> values =
                    questions.stream().map(Question::values).toList();
            Map<String, GroupCommit.Answer<Object>> answers =
                    questions.get(0).together().apply(values);
            return questions.stream()
                    .map(question -> answers.getOrDefault(question.id(), NONE))
                    .toList();
        }

        /** Returns true when nothing was sent or the database answered an error; without an answer, that is unknown. */
        @Override
        public boolean didNothing(RuntimeException failure) {
            return failure instanceof JdbcStoreException
                    && failure.getCause() instanceof SQLException cause
                    && (cause instanceof NotSentException || !Dialect.unanswered(cause));
        }

        /** Returns the record's id for a write, so that two writes of a record are not in one statement. */
        @Override
        public Object subject(Question<?> question) {
            return reads ? question : question.id();
        }

        @Override
        public long bytes(Question<?> question) {
            return question.values().bytes();
        }
    }
}

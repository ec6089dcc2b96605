package io.idempotency.benchmarks;

import io.idempotency.runtime.store.RecordId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import javax.sql.DataSource;

/**
 * What {@link SafeStatements} sends to PostgreSQL, each statement for all that wait while the one before it is under way: the least
 * that keeps the promises where callers share statements. Nobody waits for others to come, and no trouble of one is kept from the others.
 */
final class SafeBatches {

    private static final int MOST = 64;
    private static final String NAME = "together";
    private static final String PUT = "INSERT INTO bare_" + NAME + " (id, operation, fingerprint, state, owner, fence,"
            + " claimed_at_ms, lease_until_ms, expires_at_ms) SELECT id, 'bench-charge', fingerprint, 'IN_PROGRESS', owner,"
            + " ms * 1000, ms, ms + 30000, ms + 2592000000 FROM unnest(?::text[], ?::text[], ?::text[])"
            + " AS calls (id, fingerprint, owner), (SELECT {now} AS ms) AS clock"
            + " ON CONFLICT (id) DO NOTHING RETURNING id, fence";
    private static final String DONE =
            "UPDATE bare_" + NAME + " AS record SET state = 'COMPLETED', result = calls.result,"
                    + " expires_at_ms = {now} + 86400000 FROM unnest(?::text[], ?::text[], ?::bigint[], ?::bytea[])"
                    + " AS calls (id, owner, fence, result) WHERE record.id = calls.id AND record.owner = calls.owner"
                    + " AND record.fence = calls.fence AND state = 'IN_PROGRESS' RETURNING record.id";
    private static final String FOUND =
            "SELECT id, operation, fingerprint, state, owner, lease_until_ms, result FROM bare_" + NAME
                    + " WHERE id = ANY (?::text[]) AND expires_at_ms > {now}";

    private final Lane<Long> claims;
    private final Lane<String> outcomes;
    private final Lane<byte[]> replays;

    private SafeBatches(DataSource pool) {
        claims = new Lane<>(pool, PUT, List.of(Values.TEXT, Values.TEXT, Values.TEXT), row -> row.getLong(2));
        outcomes = new Lane<>(
                pool, DONE, List.of(Values.TEXT, Values.TEXT, Values.BIGINT, Values.BYTEA), row -> row.getString(1));
        replays = new Lane<>(pool, FOUND, List.of(Values.TEXT), row -> row.getBytes(7));
    }

    /** Makes the table. */
    static Turns.Side on(DataSource pool) throws SQLException {
        SafeStatements.POSTGRESQL.create(pool, NAME);
        return new SafeBatches(pool)::call;
    }

    private void call(String key, boolean first) throws SQLException {
        String id = RecordId.of("bench", null, null, key).value();
        if (!first) {
            Objects.requireNonNull(replays.answer(id));
            return;
        }
        String owner = UUID.randomUUID().toString();
        Long fence = Objects.requireNonNull(claims.answer(id, BareCommands.FINGERPRINT, owner));
        outcomes.answer(id, owner, fence, BareStatements.RESULT);
    }

    /** One parameter of all callers. */
    private enum Values {
        TEXT(String[]::new),
        BIGINT(Long[]::new),
        BYTEA(byte[][]::new);

        private final IntFunction<Object[]> array;

        Values(IntFunction<Object[]> array) {
            this.array = array;
        }
    }

    private interface Answer<A> {
        A in(ResultSet row) throws SQLException;
    }

    /** One statement, of which one is under way at a time: the first of those that wait sends it for all of them. */
    private static final class Lane<A> {
        private final DataSource pool;
        private final String sql;
        private final List<Values> parameters;
        private final Answer<A> answer;
        private List<Ask<A>> waiting = new ArrayList<>();
        private boolean underWay;

        Lane(DataSource pool, String sql, List<Values> parameters, Answer<A> answer) {
            this.pool = pool;
            this.sql = SafeStatements.POSTGRESQL.filled(sql);
            this.parameters = parameters;
            this.answer = answer;
        }

        /** What a caller waits for: an answer; or nothing, and then it sends the next statement. */
        private record Ask<A>(Object[] values, CompletableFuture<Optional<A>> heard) {}

        /** The first value is the record's id. */
        A answer(Object... values) throws SQLException {
            Ask<A> own = new Ask<>(values, new CompletableFuture<>());
            if (!leads(own)) {
                Optional<A> heard = own.heard.join();
                if (heard.isPresent()) {
                    return heard.get();
                }
            }
            List<Ask<A>> all = with(own);
            try {
                Map<Object, A> answers = sent(all);
                for (Ask<A> each : all) {
                    each.heard.complete(Optional.of(Objects.requireNonNull(answers.get(each.values[0]))));
                }
                return Objects.requireNonNull(answers.get(values[0]));
            } catch (Throwable e) { // the others would wait for ever, and the benchmark with them
                all.forEach(each -> each.heard.completeExceptionally(e));
                throw e;
            } finally {
                next();
            }
        }

        private synchronized boolean leads(Ask<A> own) {
            boolean leads = !underWay;
            underWay = true;
            if (!leads) {
                waiting.add(own);
            }
            return leads;
        }

        private synchronized List<Ask<A>> with(Ask<A> own) {
            int others = Math.min(MOST - 1, waiting.size());
            List<Ask<A>> all = new ArrayList<>(List.of(own));
            all.addAll(waiting.subList(0, others));
            waiting = new ArrayList<>(waiting.subList(others, waiting.size()));
            return all;
        }

        private synchronized void next() {
            underWay = !waiting.isEmpty();
            if (underWay) {
                waiting.remove(0).heard.complete(Optional.empty());
            }
        }

        private Map<Object, A> sent(List<Ask<A>> asks) throws SQLException {
            try (Connection connection = pool.getConnection();
                    PreparedStatement statement = connection.prepareStatement(sql)) {
                for (int i = 0; i < parameters.size(); i++) {
                    int column = i;
                    Values values = parameters.get(i);
                    Object[] array =
                            asks.stream().map(ask -> ask.values[column]).toArray(values.array);
                    statement.setArray(i + 1, connection.createArrayOf(values.name(), array));
                }
                Map<Object, A> answers = new HashMap<>();
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        answers.put(rows.getString(1), answer.in(rows));
                    }
                }
                return answers;
            }
        }
    }
}

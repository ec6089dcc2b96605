package io.idempotency.benchmarks;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.StoredResult;
import io.micronaut.context.ApplicationContext;
import io.micronaut.core.type.Argument;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.transaction.TransactionOperations;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * The JDBC store of one application, and bare statements on the same pool.
 *
 * @param application has the store
 * @param pool its data source
 */
record JdbcSides(ApplicationContext application, DataSource pool) implements AutoCloseable {

    private static final byte[] RESULT =
            "{\"id\":\"ch-f-0000000000-0000-0\",\"orderId\":\"order-4711\",\"amount\":129.90,\"status\":\"CHARGED\"}"
                    .getBytes(StandardCharsets.UTF_8);
    private static final String FINGERPRINT = "1:" + "0123456789abcdef".repeat(4);
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration DAYS = Duration.ofDays(30);
    private static final String FOUND =
            "SELECT operation, fingerprint, state, owner, lease_until_ms, expires_at_ms, result FROM bare WHERE id = ?";

    /**
     * Opens an application and the table of the bare statements.
     *
     * @param bytes the database's type for the result
     * @param properties of the application
     */
    static JdbcSides open(String bytes, Map<String, Object> properties) throws SQLException {
        Map<String, Object> all = new HashMap<>(properties);
        all.put("idempotency.store", "jdbc");
        all.put("idempotency.jdbc.schema", "create");
        all.put("idempotency.jdbc.command-timeout", "20s");
        ApplicationContext application = ApplicationContext.run(all);
        DataSource pool = DelegatingDataSource.unwrapDataSource(application.getBean(DataSource.class));
        JdbcSides sides = new JdbcSides(application, pool);
        sides.store();
        sides.run("CREATE TABLE bare (id VARCHAR(64) NOT NULL PRIMARY KEY, operation VARCHAR(1000) NOT NULL,"
                + " fingerprint VARCHAR(100) NOT NULL, state VARCHAR(16) NOT NULL, owner VARCHAR(64) NOT NULL,"
                + " lease_until_ms BIGINT NOT NULL, expires_at_ms BIGINT, result " + bytes + ")");
        sides.run("CREATE INDEX bare_expiry ON bare (expires_at_ms)");
        return sides;
    }

    IdempotencyStore store() {
        return application.getBean(IdempotencyStore.class, Qualifiers.byName("jdbc"));
    }

    /** No keys are left. */
    void empty() {
        try {
            run("TRUNCATE TABLE bare");
            run("TRUNCATE TABLE idempotency_record");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void run(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /**
     * An insert and an update for a first call, a select by the key for a replay: no states, leases, fences, clocks or
     * checksums.
     *
     * @param insert ends the insert of a key that may be there
     */
    Rounds.Side floor(String insert) {
        String put = "INSERT INTO bare (id, operation, fingerprint, state, owner, lease_until_ms, expires_at_ms)"
                + " VALUES (?, ?, ?, 'IN_PROGRESS', ?, ?, ?)" + insert;
        return (key, first) -> {
            String id = RecordId.of("bench", null, null, key).value();
            String owner = UUID.randomUUID().toString();
            if (first) {
                change(put, id, "bench-charge", FINGERPRINT, owner, 1_900_000_000_000L, 1_990_000_000_000L);
                change(
                        "UPDATE bare SET state = 'COMPLETED', result = ?, expires_at_ms = ? WHERE id = ? AND owner = ?",
                        RESULT,
                        1_900_000_000_000L,
                        id,
                        owner);
            } else {
                find(id);
            }
        };
    }

    private void change(String sql, Object... values) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            if (statement.executeUpdate() != 1) {
                throw new IllegalStateException(sql);
            }
        }
    }

    private void find(String id) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(FOUND)) {
            statement.setString(1, id);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                row.getString(1);
                row.getString(2);
                row.getString(3);
                row.getBytes(7);
            }
        }
    }

    /** The store, asked through its contract. */
    Rounds.Side asked() {
        IdempotencyStore store = store();
        return (key, first) -> {
            RecordId id = RecordId.of("bench", null, null, key);
            String owner = UUID.randomUUID().toString();
            ClaimResult claimed = store.claim(new Claim(id, "bench-charge", FINGERPRINT, owner, LEASE, DAYS, false))
                    .toCompletableFuture()
                    .join();
            if (claimed instanceof ClaimResult.Acquired won) {
                store.complete(
                                new Ownership(id, owner, won.fence()),
                                new StoredResult.Present(RESULT),
                                Duration.ofDays(1))
                        .toCompletableFuture()
                        .join();
            } else {
                Objects.requireNonNull(
                        ((ClaimResult.Duplicate) claimed).record().result());
            }
        };
    }

    /** The same call, made in the middle of a transaction of the same data source. */
    Rounds.Side insideOf(Rounds.Side call) {
        TransactionOperations<Connection> transactions = application.getBean(
                Argument.of(TransactionOperations.class, Connection.class), Qualifiers.byName("default"));
        return (key, first) -> transactions.executeWrite(status -> {
            call.call(key, first);
            return null;
        });
    }

    @Override
    public void close() {
        application.close();
    }
}

package io.idempotency.benchmarks;

import io.idempotency.runtime.store.RecordId;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import javax.sql.DataSource;

/** What a first call and a replay are in bare statements. */
final class BareStatements {

    static final byte[] RESULT = BareCommands.RESULT.getBytes(StandardCharsets.UTF_8);
    private static final long LEASE_UNTIL = 1_900_000_000_000L;
    private static final long EXPIRES = 1_990_000_000_000L;
    static final String FOUND =
            "SELECT operation, fingerprint, state, owner, lease_until_ms, expires_at_ms, result FROM bare_%s WHERE id = ?";
    private static final String DONE = "UPDATE bare_%s SET state = 'COMPLETED', result = ? WHERE id = ? AND owner = ?";
    private static final String PUT = "INSERT INTO bare_%s (id, operation, fingerprint, state, owner, lease_until_ms,"
            + " expires_at_ms) VALUES (?, 'bench-charge', ?, 'IN_PROGRESS', ?, ?, ?)";

    private final DataSource pool;
    private final String binary;
    private final String unlessThere;

    BareStatements(DataSource pool, String binary, String unlessThere) {
        this.pool = pool;
        this.binary = binary;
        this.unlessThere = unlessThere;
    }

    private void create(String name) throws SQLException {
        create(pool, name, binary, "");
    }

    /** The table that {@link #FOUND} asks, with more columns than that. */
    static void create(DataSource pool, String name, String binary, String more) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE bare_" + name + " (id VARCHAR(64) NOT NULL PRIMARY KEY,"
                    + " operation VARCHAR(1000) NOT NULL, fingerprint VARCHAR(100) NOT NULL, state VARCHAR(16) NOT NULL,"
                    + " owner VARCHAR(64) NOT NULL, lease_until_ms BIGINT NOT NULL, expires_at_ms BIGINT, result "
                    + binary
                    + more + ")");
            statement.execute("CREATE INDEX bare_" + name + "_expiry ON bare_" + name + " (expires_at_ms)");
        }
    }

    /** It knows whether the key is new. */
    Turns.Side floor() throws SQLException {
        create("floor");
        String put = PUT.formatted("floor") + unlessThere;
        String done = DONE.formatted("floor");
        String found = FOUND.formatted("floor");
        return (key, first) -> {
            String id = RecordId.of("bench", null, null, key).value();
            String owner = UUID.randomUUID().toString();
            if (!first) {
                try (Connection connection = pool.getConnection()) {
                    find(connection, found, id);
                }
                return;
            }
            try (Connection connection = pool.getConnection()) {
                change(connection, put, id, BareCommands.FINGERPRINT, owner, LEASE_UNTIL, EXPIRES);
            }
            try (Connection connection = pool.getConnection()) {
                change(connection, done, RESULT, id, owner);
            }
        };
    }

    /** One transaction: a limit for waiting, an insert that takes over what is expired, then the result or a look. */
    Turns.Side adzubla() throws SQLException {
        create("adzubla");
        String put = PUT.formatted("adzubla") + " ON CONFLICT (id) DO UPDATE SET owner = EXCLUDED.owner WHERE"
                + " bare_adzubla.expires_at_ms < CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";
        String done = DONE.formatted("adzubla");
        String found = FOUND.formatted("adzubla");
        return (key, first) -> inTransaction(connection -> {
            try (Statement limit = connection.createStatement()) {
                limit.execute("SET LOCAL lock_timeout = '5000ms'");
            }
            String id = RecordId.of("bench", null, null, key).value();
            String owner = UUID.randomUUID().toString();
            if (change(connection, put, id, BareCommands.FINGERPRINT, owner, LEASE_UNTIL, EXPIRES) == 1) {
                change(connection, done, RESULT, id, owner);
            } else {
                find(connection, found, id);
            }
        });
    }

    /** The caller's transaction: an insert and the result, or a look. It knows which of the two is needed. */
    Turns.Side kholodilin() throws SQLException {
        create("kholodilin");
        String put = PUT.formatted("kholodilin") + unlessThere;
        String done = DONE.formatted("kholodilin");
        String found = FOUND.formatted("kholodilin");
        return (key, first) -> inTransaction(connection -> {
            String id = RecordId.of("bench", null, null, key).value();
            String owner = UUID.randomUUID().toString();
            if (!first) {
                find(connection, found, id);
            } else if (change(connection, put, id, BareCommands.FINGERPRINT, owner, LEASE_UNTIL, EXPIRES) == 1) {
                change(connection, done, RESULT, id, owner);
            }
        });
    }

    private interface Work {
        void in(Connection connection) throws SQLException;
    }

    private void inTransaction(Work work) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            work.in(connection);
            connection.commit();
            connection.setAutoCommit(true);
        }
    }

    static int change(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            return statement.executeUpdate();
        }
    }

    static boolean find(Connection connection, String sql, String id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, id);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() && row.getString(1) != null && row.getString(2) != null && row.getBytes(7) != null;
            }
        }
    }
}

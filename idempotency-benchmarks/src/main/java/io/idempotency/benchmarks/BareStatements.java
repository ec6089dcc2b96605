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

    private static final byte[] RESULT = BareCommands.RESULT.getBytes(StandardCharsets.UTF_8);
    private static final long LEASE_UNTIL = 1_900_000_000_000L;
    private static final long EXPIRES = 1_990_000_000_000L;
    private static final String FOUND =
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
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE bare_" + name + " (id VARCHAR(64) NOT NULL PRIMARY KEY,"
                    + " operation VARCHAR(1000) NOT NULL, fingerprint VARCHAR(100) NOT NULL, state VARCHAR(16) NOT NULL,"
                    + " owner VARCHAR(64) NOT NULL, lease_until_ms BIGINT NOT NULL, expires_at_ms BIGINT, result "
                    + binary + ")");
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

    private static int change(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            return statement.executeUpdate();
        }
    }

    private static boolean find(Connection connection, String sql, String id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, id);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() && row.getString(1) != null && row.getString(2) != null && row.getBytes(7) != null;
            }
        }
    }
}

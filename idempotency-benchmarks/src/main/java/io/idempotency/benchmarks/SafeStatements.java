package io.idempotency.benchmarks;

import io.idempotency.runtime.store.RecordId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * The least that keeps the promises of a call that succeeds, in bare statements: the database's time in fence, lease and expiry, an
 * outcome that only the owner can record, indexes of what is open and of what expires.
 */
enum SafeStatements {
    POSTGRESQL(
            "BYTEA",
            "%s ON CONFLICT (id) DO NOTHING RETURNING fence",
            "CAST(date_part('epoch', clock_timestamp()) * 1000 AS BIGINT)",
            "(claimed_at_ms) WHERE state = 'IN_PROGRESS'"),
    H2(
            "VARBINARY(100000)",
            "SELECT fence FROM FINAL TABLE (%s)",
            "CAST(EXTRACT(EPOCH FROM LOCALTIMESTAMP) * 1000 AS BIGINT)",
            "(state, claimed_at_ms)");

    private static final String PUT =
            "INSERT INTO bare_safe (id, operation, fingerprint, state, owner, fence, claimed_at_ms,"
                    + " lease_until_ms, expires_at_ms) SELECT ?, 'bench-charge', ?, 'IN_PROGRESS', ?, ms * 1000, ms, ms + 30000,"
                    + " ms + 2592000000 FROM (SELECT {now} AS ms) AS clock";
    private static final String DONE =
            "UPDATE bare_safe SET state = 'COMPLETED', result = ?, expires_at_ms = {now} + 86400000"
                    + " WHERE id = ? AND owner = ? AND fence = ? AND state = 'IN_PROGRESS'";
    private static final String FOUND = BareStatements.FOUND.formatted("safe") + " AND expires_at_ms > {now}";

    private final String binary;
    private final String fenced;
    private final String now;
    private final String open;

    SafeStatements(String binary, String fenced, String now, String open) {
        this.binary = binary;
        this.fenced = fenced;
        this.now = now;
        this.open = open;
    }

    /** It knows whether the key is new. */
    Turns.Side on(DataSource pool) throws SQLException {
        create(pool, "safe");
        String put = filled(fenced.formatted(PUT));
        String done = filled(DONE);
        String found = filled(FOUND);
        return (key, first) -> {
            String id = RecordId.of("bench", null, null, key).value();
            if (!first) {
                try (Connection connection = pool.getConnection()) {
                    BareStatements.find(connection, found, id);
                }
                return;
            }
            String owner = UUID.randomUUID().toString();
            long fence;
            try (Connection connection = pool.getConnection()) {
                fence = claimed(connection, put, id, owner);
            }
            try (Connection connection = pool.getConnection()) {
                BareStatements.change(connection, done, BareStatements.RESULT, id, owner, fence);
            }
        };
    }

    /** The table that the statements ask, by another name. */
    void create(DataSource pool, String name) throws SQLException {
        BareStatements.create(pool, name, binary, ", fence BIGINT NOT NULL, claimed_at_ms BIGINT NOT NULL");
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE INDEX bare_" + name + "_open ON bare_" + name + " " + open);
        }
    }

    String filled(String text) {
        return text.replace("{now}", now);
    }

    private static long claimed(Connection connection, String put, String id, String owner) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(put)) {
            statement.setString(1, id);
            statement.setString(2, BareCommands.FINGERPRINT);
            statement.setString(3, owner);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }
}

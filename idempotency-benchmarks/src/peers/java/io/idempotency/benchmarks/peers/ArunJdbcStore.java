package io.idempotency.benchmarks.peers;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;

/** arun0009 3.1 on PostgreSQL: SELECT, INSERT, UPDATE, each committed by itself. */
final class ArunJdbcStore implements ArunStore {

    private final JdbcTemplate jdbc;

    ArunJdbcStore(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
        jdbc.execute("CREATE TABLE peer_arun (key_id VARCHAR(255) NOT NULL, process_name VARCHAR(255) NOT NULL,"
                + " status VARCHAR(50) NOT NULL, expires_at BIGINT NOT NULL, response TEXT,"
                + " PRIMARY KEY (key_id, process_name))");
        jdbc.execute("CREATE INDEX peer_arun_expiry ON peer_arun (expires_at)");
    }

    /** The original asks for exactly one row and catches what Spring throws where there is none; a list costs less. */
    @Override
    public @Nullable Value find(Key key, Class<?> returnType) {
        List<Value> found = jdbc.query(
                "SELECT status, expires_at, response FROM peer_arun WHERE key_id = ? AND process_name = ?",
                (row, number) -> {
                    String response = row.getString("response");
                    return new Value(
                            Status.valueOf(row.getString("status")),
                            Instant.ofEpochMilli(row.getLong("expires_at")),
                            response == null ? null : ArunJson.MAPPER.readValue(response, returnType));
                },
                key.key(),
                key.processName());
        return found.isEmpty() ? null : found.get(0);
    }

    @Override
    public boolean insert(Key key, Value value) {
        try {
            jdbc.update(
                    "INSERT INTO peer_arun (key_id, process_name, status, expires_at, response) VALUES (?, ?, ?, ?, ?)",
                    key.key(),
                    key.processName(),
                    value.status().name(),
                    value.expiresAt().toEpochMilli(),
                    null);
            return true;
        } catch (DuplicateKeyException e) {
            return false;
        }
    }

    @Override
    public void update(Key key, Value value) {
        jdbc.update(
                "UPDATE peer_arun SET status = ?, expires_at = ?, response = ? WHERE key_id = ? AND process_name = ?",
                value.status().name(),
                value.expiresAt().toEpochMilli(),
                ArunJson.MAPPER.writeValueAsString(value.response()),
                key.key(),
                key.processName());
    }
}

package io.idempotency.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;

/** H2 2.2 and later, in memory, in a file or as a server. */
final class H2Dialect extends Dialect {

    private static final Set<String> LOCKED = Set.of("HYT00", "90131");

    H2Dialect() {
        super("H2", "h2");
    }

    @Override
    String clock(int unitsPerSecond) {
        return "CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * " + unitsPerSecond + ") AS BIGINT)";
    }

    // two claims of a new key: one of them gets 23505 and asks again
    @Override
    String claim() {
        return """
            SELECT {columns}, {now} FROM FINAL TABLE (
              MERGE INTO {table} r USING (
                SELECT CAST(:id AS VARCHAR) AS id, {now} AS now_ms, {now_us} AS now_us
                WHERE NOT EXISTS (SELECT 1 FROM {table} r WHERE r.id = :id AND NOT ({claimable}))) ask
              ON r.id = ask.id
              WHEN MATCHED AND ({claimable}) THEN UPDATE SET
                operation = :operation, fingerprint = :fingerprint, state = 'IN_PROGRESS', owner = :owner,
                fence = GREATEST(r.fence + 1, ask.now_us),
                attempt = CASE WHEN r.expires_at_ms <= ask.now_ms THEN 1 ELSE r.attempt + 1 END,
                claimed_at_ms = ask.now_ms, lease_until_ms = ask.now_ms + CAST(:lease_ms AS BIGINT),
                settled_at_ms = NULL, expires_at_ms = ask.now_ms + CAST(:retention_ms AS BIGINT), {no_outcome},
                format_version = {format}
              WHEN NOT MATCHED THEN INSERT
                (id, operation, fingerprint, state, owner, fence, attempt, claimed_at_ms, lease_until_ms,
                 expires_at_ms, format_version)
                VALUES (:id, :operation, :fingerprint, 'IN_PROGRESS', :owner, ask.now_us, 1, ask.now_ms,
                 ask.now_ms + CAST(:lease_ms AS BIGINT), ask.now_ms + CAST(:retention_ms AS BIGINT), {format}))
            UNION ALL
            SELECT {columns}, {now} FROM {table} r WHERE r.id = :id AND r.owner <> :owner AND NOT ({claimable})
            """;
    }

    @Override
    String purge() {
        return "DELETE FROM {table} WHERE {purgeable} FETCH FIRST :limit ROWS ONLY";
    }

    @Override
    String approximateSize(TableName table) {
        return "SELECT ROW_COUNT_ESTIMATE FROM INFORMATION_SCHEMA.TABLES WHERE UPPER(TABLE_NAME) = UPPER('"
                + table.simple() + "') AND UPPER(TABLE_SCHEMA) = "
                + table.schema().map(schema -> "UPPER('" + schema + "')").orElse("UPPER(SCHEMA())");
    }

    @Override
    LockWait lockWait(Duration limit) {
        return new LockWait("SELECT LOCK_TIMEOUT()", "SET LOCK_TIMEOUT %s", Math.max(1, limit.toMillis()));
    }

    /** It would hold for the session from then on, and what ends a statement of a file may close the file. */
    @Override
    boolean limitsStatements() {
        return false;
    }

    /** {@link H2Guard} knows more: whether the file is written at once. */
    @Override
    String durability(TableName table) {
        return "SELECT READONLY(), DATABASE_PATH() IS NOT NULL, FALSE, COALESCE(DATABASE_PATH(), 'in memory')";
    }

    @Override
    String cure() {
        return "Use a file or a server, of H2 2.4 or newer, whose user may SET WRITE_DELAY 0";
    }

    @Override
    boolean locked(SQLException e) {
        return LOCKED.contains(String.valueOf(e.getSQLState()));
    }

    @Override
    boolean noTable(SQLException e) {
        return Set.of("42S02", "42S03", "42S04", "90079").contains(String.valueOf(e.getSQLState()));
    }

    @Override
    boolean readOnly(SQLException e) {
        return "90097".equals(e.getSQLState());
    }
}

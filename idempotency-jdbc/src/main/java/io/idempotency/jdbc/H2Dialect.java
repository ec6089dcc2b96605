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

    /** EXTRACT(EPOCH) computes with decimals, which takes longer than the rest of a replay; DATEDIFF counts local time. */
    @Override
    String clock(int unitsPerSecond) {
        return "DATEDIFF(" + (unitsPerSecond == 1_000 ? "MILLISECOND" : "MICROSECOND")
                + ", TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00', CURRENT_TIMESTAMP AT TIME ZONE '+00')";
    }

    // one row, without a nested query, which H2 parses and plans for longer than it runs: a key that is there gets
    // 23505,
    // and is looked for
    @Override
    String claim() {
        return """
            SELECT id, fence, claimed_at_ms FROM FINAL TABLE (
              INSERT INTO {table} (id, operation, fingerprint, state, owner, fence, attempt, claimed_at_ms,
                lease_until_ms, expires_at_ms, retention_ms, result, result_size, format_version, checksum)
              VALUES (:id, :operation, :fingerprint, 'IN_PROGRESS', :owner, {now_us}, 1, {now}, {now} + :lease_ms,
                {now} + :retention_ms, :after_lease_ms, :result, :result_size, {format}, :checksum))
            """;
    }

    /** A failed insert costs several times a SELECT in the same process, and that a fifth of a first call. */
    @Override
    int asksFirstFrom() {
        return 10;
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
    String uniqueId() {
        return """
            SELECT index_name FROM information_schema.index_columns
            WHERE lower(table_schema) = lower(coalesce(nullif(?, ''), current_schema)) AND lower(table_name) = lower(?)
              AND is_unique
            GROUP BY index_schema, index_name HAVING count(*) = 1 AND max(lower(column_name)) = 'id'
            """;
    }

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

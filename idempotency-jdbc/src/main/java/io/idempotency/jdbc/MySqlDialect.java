package io.idempotency.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;

/** MySQL 8 and later, and MariaDB 10.6 and later. */
final class MySqlDialect extends Dialect {

    private static final int LOCK_WAIT_TIMEOUT = 1205; // with the general SQLState HY000

    /** A row that is younger than the transaction's snapshot, with innodb_snapshot_isolation; with HY000 too. */
    private static final int CHANGED_SINCE_READ = 1020;

    /** Refused by --read-only, in a read-only transaction, and by innodb_read_only. */
    private static final Set<Integer> READ_ONLY = Set.of(1290, 1792, 1836);

    // neither an error, which MariaDB's driver would log, nor IGNORE, which would cut values that are too long
    private static final String CLAIM = """
            INSERT INTO {table}
              (id, operation, fingerprint, state, owner, fence, attempt, claimed_at_ms, lease_until_ms, expires_at_ms,
               retention_ms, result, result_size, format_version, checksum)
            VALUES (:id, :operation, :fingerprint, 'IN_PROGRESS', :owner, {now_us}, 1, {now}, {now} + :lease_ms,
              {now} + :retention_ms, :after_lease_ms, :result, :result_size, {format}, :checksum)
            ON DUPLICATE KEY UPDATE id = id""";

    // the second select stands between the table and itself, as MySQL wants it
    private static final String PURGE = """
            DELETE FROM {table} WHERE id IN (SELECT id FROM (
              SELECT id FROM {table} WHERE {purgeable} ORDER BY expires_at_ms LIMIT :limit
              FOR UPDATE SKIP LOCKED) expired)""";

    // a switch is a number in some versions and a word in others, which both compare to 'OFF'
    private static final String DURABILITY = """
            SELECT readonly,
              flushed = 1 AND doubled AND (logged = 0 OR synced = 1) AND engine = 'InnoDB',
              FALSE,
              CONCAT('innodb_flush_log_at_trx_commit=', flushed, ', innodb_doublewrite=', IF(doubled, 'ON', 'OFF'),
                ', log_bin=', logged, ', sync_binlog=', synced, ', engine=', engine,
                ', read_only=', IF(readonly, 'ON', 'OFF'))
            FROM (SELECT NOT (@@global.read_only = 'OFF') AS readonly,
              @@global.innodb_flush_log_at_trx_commit AS flushed,
              NOT (@@global.innodb_doublewrite = 'OFF' OR @@global.innodb_doublewrite = 'DETECT_ONLY') AS doubled,
              @@global.log_bin AS logged, @@global.sync_binlog AS synced,
              COALESCE((SELECT t.engine FROM information_schema.tables t
                WHERE t.table_schema = {schema} AND t.table_name = '{simple}'), 'InnoDB') AS engine) said""";

    /** MariaDB's insert answers its row or, assigning nothing, the row that is there. */
    private final String answer;

    private MySqlDialect(String product, String answer) {
        super(product, "mysql");
        this.answer = answer;
    }

    static MySqlDialect mySql() {
        return new MySqlDialect("MySQL", "");
    }

    static MySqlDialect mariaDb() {
        return new MySqlDialect("MariaDB", " RETURNING {columns}, {now}");
    }

    @Override
    String clock(int unitsPerSecond) {
        return "(TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) DIV "
                + 1_000_000 / unitsPerSecond + ")";
    }

    @Override
    String claim() {
        return CLAIM + answer;
    }

    @Override
    boolean answersRow() {
        return true;
    }

    @Override
    String purge() {
        return PURGE;
    }

    @Override
    String current() {
        return " LOCK IN SHARE MODE";
    }

    @Override
    String approximateSize(TableName table) {
        return "SELECT table_rows FROM information_schema.tables WHERE table_name = '" + table.simple()
                + "' AND table_schema = "
                + table.schema().map(schema -> "'" + schema + "'").orElse("DATABASE()");
    }

    @Override
    LockWait lockWait(Duration limit) {
        return new LockWait(
                "SELECT @@innodb_lock_wait_timeout",
                "SET innodb_lock_wait_timeout = %s",
                Math.max(1, limit.toSeconds()));
    }

    @Override
    String uniqueId() {
        return """
            SELECT index_name FROM information_schema.statistics
            WHERE table_schema = coalesce(nullif(?, ''), database()) AND table_name = ? AND non_unique = 0
            GROUP BY index_name HAVING count(*) = 1 AND max(lower(column_name)) = 'id'
            """;
    }

    @Override
    String durability(TableName table) {
        String schema = table.schema().map(name -> "'" + name + "'").orElse("DATABASE()");
        return DURABILITY.replace("{schema}", schema).replace("{simple}", table.simple());
    }

    @Override
    String cure() {
        return "On the server set innodb_flush_log_at_trx_commit=1, innodb_doublewrite=ON and, with a binary log,"
                + " sync_binlog=1, and let the table's engine be InnoDB; 'replicated' cannot be proved here, because a"
                + " server goes on without its replicas";
    }

    /** MariaDB rolls the whole transaction back, and does not say so by a SQLState. */
    @Override
    boolean rolledBack(SQLException e) {
        return e.getErrorCode() == CHANGED_SINCE_READ || super.rolledBack(e);
    }

    @Override
    boolean locked(SQLException e) {
        return e.getErrorCode() == LOCK_WAIT_TIMEOUT;
    }

    @Override
    boolean noTable(SQLException e) {
        return "42S02".equals(e.getSQLState());
    }

    @Override
    boolean readOnly(SQLException e) {
        return READ_ONLY.contains(e.getErrorCode());
    }
}

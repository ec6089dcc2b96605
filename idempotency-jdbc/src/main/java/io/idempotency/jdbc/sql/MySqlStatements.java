package io.idempotency.jdbc.sql;

/** MySQL 8 and later, and MariaDB 10.6 and later. */
final class MySqlStatements {

    static final String TEXTS = """
            now: ({micros} DIV 1000)
            now_us: {micros}
            micros: TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6))
            # neither an error, which MariaDB's driver would log, nor IGNORE, which would cut values that are too long
            claim: INSERT INTO {table} {claim_columns} VALUES ({claim_values}) ON DUPLICATE KEY UPDATE id = id {fresh}
            fresh:
            current: LOCK IN SHARE MODE
            # the second select stands between the table and itself, as MySQL wants it
            purge: DELETE FROM {table} WHERE id IN (SELECT id FROM (
             SELECT id FROM {table} WHERE {purgeable} ORDER BY expires_at_ms LIMIT :limit
             FOR UPDATE SKIP LOCKED) expired)
            own_schema: DATABASE()
            approximate_size: SELECT table_rows FROM information_schema.tables
             WHERE table_name = '{simple}' AND table_schema = {schema}
            unique_id: SELECT index_name FROM information_schema.statistics
             WHERE table_schema = {schema} AND table_name = '{simple}' AND non_unique = 0
             GROUP BY index_name HAVING count(*) = 1 AND max(lower(column_name)) = 'id'
            # a switch is a number in some versions and a word in others, which both compare to 'OFF'
            durability: SELECT readonly,
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
             WHERE t.table_schema = {schema} AND t.table_name = '{simple}'), 'InnoDB') AS engine) said
            cure: On the server set innodb_flush_log_at_trx_commit=1, innodb_doublewrite=ON and, with a binary log,
             sync_binlog=1, and let the table's engine be InnoDB; 'replicated' cannot be proved here, because a
             server goes on without its replicas
            lock_wait: SELECT @@innodb_lock_wait_timeout
            set_lock_wait: SET innodb_lock_wait_timeout = %s
            lock_wait_unit_ms: 1000
            calm: SET TRANSACTION ISOLATION LEVEL READ COMMITTED
            # with the general SQLState HY000
            locked: 1205
            # the second with HY000 too, for a row that is younger than the transaction's snapshot, with
            # innodb_snapshot_isolation: then MariaDB rolls the whole transaction back
            rolled_back: 40 1020
            no_table: 42S02
            # refused by --read-only, in a read-only transaction, and by innodb_read_only
            read_only: 1290 1792 1836
            # larger than max_allowed_packet
            rejected: 22 54 23513 23514 1153
            """;

    /** The insert answers its row, or the row that is there: the clock tells them apart, which stands still in a statement. */
    static final String OF_MARIADB = """
            fresh: RETURNING id, CASE WHEN owner = :owner AND fence = {now_us} THEN fence END, claimed_at_ms
            """;

    private MySqlStatements() {}
}

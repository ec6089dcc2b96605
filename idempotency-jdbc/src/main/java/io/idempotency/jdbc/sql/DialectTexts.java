package io.idempotency.jdbc.sql;

/** The texts of each database: those that {@link CommonTexts} lacks, and those that replace its texts. */
final class DialectTexts {

    /** H2 2.2 and later, in memory, in a file or as a server. */
    static final String H2 = """
            # EXTRACT(EPOCH) computes with decimals, for longer than the rest of a replay; DATEDIFF counts local time
            now: DATEDIFF(MILLISECOND, {epoch}, {utc})
            now_us: DATEDIFF(MICROSECOND, {epoch}, {utc})
            epoch: TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00'
            utc: CURRENT_TIMESTAMP AT TIME ZONE '+00'
            # a nested query takes H2 longer to plan than to run: a key that is there gets 23505, and is looked for
            claim: SELECT id, fence, claimed_at_ms FROM FINAL TABLE (
             INSERT INTO {table} {claim_columns} VALUES ({claim_values}))
            purge: DELETE FROM {table} WHERE {purgeable} FETCH FIRST :limit ROWS ONLY
            own_schema: SCHEMA()
            approximate_size: SELECT ROW_COUNT_ESTIMATE FROM INFORMATION_SCHEMA.TABLES
             WHERE UPPER(TABLE_NAME) = UPPER('{simple}') AND UPPER(TABLE_SCHEMA) = UPPER({schema})
            unique_id: SELECT index_name FROM information_schema.index_columns
             WHERE lower(table_schema) = lower({schema}) AND lower(table_name) = lower('{simple}') AND is_unique
             GROUP BY index_schema, index_name HAVING count(*) = 1 AND max(lower(column_name)) = 'id'
            # H2Guard knows more: whether the file is written at once
            durability: SELECT READONLY(), DATABASE_PATH() IS NOT NULL, FALSE, COALESCE(DATABASE_PATH(), 'in memory')
            cure: Use a file or a server, of H2 2.4 or newer, whose user may SET WRITE_DELAY 0
            lock_wait: SELECT LOCK_TIMEOUT()
            set_lock_wait: SET LOCK_TIMEOUT %s
            calm:
            locked: HYT00 90131
            no_table: 42S02 42S03 42S04 90079
            read_only: 90097
            """;

    /** PostgreSQL 12 and later. */
    static final String POSTGRESQL = """
            # EXTRACT takes several times as long; a double tells microseconds apart until 2255, and the cast rounds
            now: CAST(date_part('epoch', clock_timestamp()) * 1000 AS BIGINT)
            now_us: CAST(date_part('epoch', clock_timestamp()) * 1000000 AS BIGINT)
            # clock_timestamp() moves between two readings, and a record whose ends do not agree is not trusted
            began: CAST(date_part('epoch', statement_timestamp()) * 1000 AS BIGINT)
            at: now_ms
            at_us: now_us
            # keeps the planner from the partial index, which seems empty where nothing was in progress when statistics were
            # taken, and then is read as a whole in place of looking a key up
            state: (state || '')
            all_columns: {columns}, audit, audit_until_ms, waited_for

            claim: {insert}
            insert: INSERT INTO {table} {claim_columns} SELECT {claim_values}
             FROM (SELECT {now} AS now_ms, {now_us} AS now_us{brief_column} OFFSET 0) clock{asked_too} {in_order}
             ON CONFLICT (id) DO NOTHING RETURNING id, fence, claimed_at_ms
            brief_column:
            in_order:
            # sets the transaction's lock time-out, and sets it back, without round trips of their own
            claim_joined: WITH former AS MATERIALIZED (SELECT current_setting('lock_timeout') AS wait),
             claimed AS ({insert}) SELECT id, fence, claimed_at_ms, set_config('lock_timeout', wait, true)
             FROM former LEFT JOIN claimed ON TRUE
            joined_brief_column: , (SELECT set_config('lock_timeout', :lock_wait, true) FROM former) AS brief
            unmarked: waited_for = FALSE,
            # a statement that settles the row later sees the mark, or keeps this one from marking
            mark: WITH marked AS (UPDATE {table} SET waited_for = TRUE
             WHERE {marked} AND NOT waited_for RETURNING id)
             SELECT id FROM {table} WHERE {marked}
             AND (waited_for OR EXISTS (SELECT 1 FROM marked))
            # a row that was released is in progress still, and settled
            marked: id = :id AND {state} = 'IN_PROGRESS' AND settled_at_ms IS NULL
            notify: CASE WHEN waited_for THEN CAST(pg_notify('{channel}', id) AS text) END
            tell_told: RETURNING {notify}
            # the index of open records asks for the first condition, which the second implies
            list_in_doubt: SELECT {selected}, {now} FROM {table} WHERE {open}
             AND (state = 'IN_DOUBT' OR ({overdue})) AND {listed} ORDER BY {page}

            # for many callers. The limit limits nothing, but lets the planner count on one row and look each key up: a plan
            # from when the table was small would read all of it for ever
            asked: (SELECT {arrays} LIMIT (SELECT CAST(NULL AS BIGINT))) AS asked
            many_asked_too: , {asked}
            many_from_asked: FROM brief, {asked}
            many_told: RETURNING id{also_told}
            # two statements with the same keys do not deadlock where both have them in order
            many_in_order: ORDER BY :id
            # a row that another transaction has locked does not hold up the other callers
            briefly: set_config('lock_timeout', '100', true)
            many_brief: WITH brief AS MATERIALIZED (SELECT {briefly})
            many_brief_column: , {briefly} AS brief

            # a subquery reads the clock once, and lets the index stop at it
            purge: DELETE FROM {table} WHERE id = ANY(ARRAY(
             SELECT id FROM {table} WHERE expires_at_ms <= (SELECT {now}) AND (SELECT {now}) <= :latest_ms
             AND fence <= (SELECT {now_us}) - :fence_memory_us AND {dated} AND {unaudited}
             ORDER BY expires_at_ms LIMIT :limit FOR UPDATE SKIP LOCKED))
            # counted since the server started, or at the last ANALYZE where that is more; of all partitions
            approximate_size: SELECT CAST(sum(greatest(s.n_live_tup, c.reltuples)) AS BIGINT)
             FROM pg_class c JOIN pg_stat_all_tables s ON s.relid = c.oid
             WHERE c.relkind = 'r' AND (c.oid = to_regclass('{table}')
             OR c.oid IN (SELECT relid FROM pg_partition_tree(to_regclass('{table}'))))
            unique_id: SELECT 1 FROM pg_index i
             JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
             WHERE i.indrelid = to_regclass('{table}') AND i.indisunique AND i.indisvalid
             AND i.indnkeyatts = 1 AND i.indpred IS NULL AND a.attname = 'id'
            # the primary's, from the name of the log's file: the control file changes with the next checkpoint only
            timeline: SELECT CASE WHEN NOT pg_is_in_recovery()
             THEN CAST(CAST('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8) AS bit(32)) AS bigint) END
            durability: SELECT pg_is_in_recovery() OR read_only = 'on',
             fsync = 'on' AND pages = 'on' AND commits <> 'off' AND kept,
             fsync = 'on' AND pages = 'on' AND commits IN ('on', 'remote_apply') AND kept AND standbys <> '',
             concat('fsync=', fsync, ', full_page_writes=', pages, ', synchronous_commit=', commits,
             ', synchronous_standby_names=', quote_literal(standbys),
             CASE WHEN kept THEN '' ELSE ', an UNLOGGED table' END, ', default_transaction_read_only=', read_only,
             CASE WHEN pg_is_in_recovery() THEN ', a standby' ELSE '' END)
             FROM (SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
             current_setting('synchronous_commit') AS commits,
             current_setting('synchronous_standby_names') AS standbys,
             current_setting('default_transaction_read_only') AS read_only,
             (SELECT coalesce(bool_and(relpersistence = 'p'), TRUE) FROM pg_class WHERE oid = to_regclass('{table}')
             OR oid IN (SELECT relid FROM pg_partition_tree(to_regclass('{table}')))) AS kept) said
            cure: On the server set fsync=on, full_page_writes=on and synchronous_commit=on (this one also as
             ?options=-c%20synchronous_commit=on in the data source's url), for 'replicated' also
             synchronous_standby_names, and let the table not be UNLOGGED

            # for the transaction only, as the level: behind a pooler the session is another client's a moment later
            lock_wait: SELECT current_setting('lock_timeout')
            set_lock_wait: SELECT set_config('lock_timeout', '%s', true)
            locked: 55P03
            no_table: 42P01 3F000
            read_only: 25006
            # insufficient privilege for pg_notify, and a full queue of notifications
            cannot_tell: 42501 54000
            """;

    /** MySQL 8 and later. */
    static final String MYSQL = """
            now: ({micros} DIV 1000)
            now_us: {micros}
            micros: TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6))
            # no error, which MariaDB's driver would log, and no IGNORE, which would cut values that are too long
            claim: INSERT INTO {table} {claim_columns} VALUES ({claim_values}) ON DUPLICATE KEY UPDATE id = id {fresh}
            fresh:
            current: LOCK IN SHARE MODE
            # MySQL wants a second select between the table and itself
            purge: DELETE FROM {table} WHERE id IN (SELECT id FROM (
             SELECT id FROM {table} WHERE {purgeable} ORDER BY expires_at_ms LIMIT :limit
             FOR UPDATE SKIP LOCKED) expired)
            own_schema: DATABASE()
            approximate_size: SELECT table_rows FROM information_schema.tables
             WHERE table_name = '{simple}' AND table_schema = {schema}
            unique_id: SELECT index_name FROM information_schema.statistics
             WHERE table_schema = {schema} AND table_name = '{simple}' AND non_unique = 0
             GROUP BY index_name HAVING count(*) = 1 AND max(lower(column_name)) = 'id'
            # a switch is a number or a word by version, and both compare to 'OFF'
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
            # with the general SQLState HY000
            locked: 1205
            # the second, with HY000 too, for a row younger than the transaction's snapshot (innodb_snapshot_isolation)
            rolled_back: 40 1020
            no_table: 42S02
            # refused by --read-only, in a read-only transaction, and by innodb_read_only
            read_only: 1290 1792 1836
            # larger than max_allowed_packet
            rejected: 22 54 23513 23514 1153
            """;

    /** MariaDB 10.6 and later. The insert returns its own row, or the existing one with a null fence. */
    static final String MARIADB = MYSQL + """
            fresh: RETURNING id, CASE WHEN owner = :owner AND fence = {now_us} THEN fence END, claimed_at_ms
            """;

    private DialectTexts() {}
}

package io.idempotency.jdbc.sql;

/** PostgreSQL 12 and later. */
final class PostgresStatements {

    static final String TEXTS = """
            # EXTRACT computes with decimals, for several times as long; a double tells microseconds apart until 2255, and
            # the cast rounds
            now: CAST(date_part('epoch', clock_timestamp()) * 1000 AS BIGINT)
            now_us: CAST(date_part('epoch', clock_timestamp()) * 1000000 AS BIGINT)
            # the clock moves between two readings, and a record whose ends do not agree is not trusted
            began: CAST(date_part('epoch', statement_timestamp()) * 1000 AS BIGINT)
            at: now_ms
            at_us: now_us
            # a partial index seems to be empty where nothing was in progress when statistics were taken, and then the
            # planner reads all of it rather than look a key up; every call since may have left an entry there
            state: (state || '')
            own_columns: waited_for

            claim: INSERT INTO {table} {claim_columns} SELECT {claim_values}
             FROM (SELECT {now} AS now_ms, {now_us} AS now_us{brief_column} OFFSET 0) clock{asked_too} {in_order}
             ON CONFLICT (id) DO NOTHING RETURNING id, fence, claimed_at_ms
            brief_column:
            in_order:
            unmarked: waited_for = FALSE,
            # a statement that settles the row after this one's snapshot sees the mark, or keeps this one from marking
            mark: WITH marked AS (UPDATE {table} SET waited_for = TRUE
             WHERE id = :id AND {state} = 'IN_PROGRESS' AND NOT waited_for RETURNING id)
             SELECT id FROM {table} WHERE id = :id AND {state} = 'IN_PROGRESS'
             AND (waited_for OR EXISTS (SELECT 1 FROM marked))
            notify: CASE WHEN waited_for THEN CAST(pg_notify('{channel}', id) AS text) END
            tell_told: RETURNING {notify}
            # its index has what is open in one order; the first condition says no more than the second, but that index asks
            # for it
            list_in_doubt: SELECT {selected}, {now} FROM {table} WHERE {open}
             AND (state = 'IN_DOUBT' OR ({overdue})) AND {listed} ORDER BY {page}

            # for many callers. The limit limits nothing, which the planner does not know: it counts on one row, and looks each
            # key up. A plan that was made while the table was small would read all of it for ever more callers
            asked: (SELECT {arrays} LIMIT (SELECT CAST(NULL AS BIGINT))) AS asked
            many_asked_too: , {asked}
            many_from_asked: FROM brief, {asked}
            many_told: RETURNING id{also_told}
            # of two statements with the same keys one waits for the other, and neither for ever, where both have them in order
            many_in_order: ORDER BY :id
            # a row that another transaction holds does not keep up those that have nothing to do with it
            briefly: set_config('lock_timeout', '100', true)
            many_brief: WITH brief AS MATERIALIZED (SELECT {briefly})
            many_brief_column: , {briefly} AS brief

            # the clock as a subquery is asked once, and lets the index stop at it
            purge: DELETE FROM {table} WHERE id = ANY(ARRAY(
             SELECT id FROM {table} WHERE expires_at_ms <= (SELECT {now}) AND (SELECT {now}) <= :latest_ms
             AND fence <= (SELECT {now_us}) - {fence_memory_us} AND {dated} AND {unaudited}
             ORDER BY expires_at_ms LIMIT :limit FOR UPDATE SKIP LOCKED))
            # what was counted since the server started, or at the last ANALYZE where that is more; a partitioned table has
            # parts
            approximate_size: SELECT CAST(sum(greatest(s.n_live_tup, c.reltuples)) AS BIGINT)
             FROM pg_class c JOIN pg_stat_all_tables s ON s.relid = c.oid
             WHERE c.relkind = 'r' AND (c.oid = to_regclass('{table}')
             OR c.oid IN (SELECT relid FROM pg_partition_tree(to_regclass('{table}'))))
            unique_id: SELECT 1 FROM pg_index i
             JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
             WHERE i.indrelid = to_regclass('{table}') AND i.indisunique AND i.indisvalid
             AND i.indnkeyatts = 1 AND i.indpred IS NULL AND a.attname = 'id'
            # as the names of its log's files have it: at once, where the control file changes with the next checkpoint only
            timeline: SELECT CASE WHEN NOT pg_is_in_recovery()
             THEN CAST(CAST('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8) AS bit(32)) AS bigint) END
            durability: SELECT pg_is_in_recovery() OR read_only = 'on',
             fsync = 'on' AND pages = 'on' AND commits <> 'off' AND kept,
             fsync = 'on' AND pages = 'on' AND commits IN ('on', 'remote_apply') AND kept AND standbys <> '',
             concat('fsync=', fsync, ', full_page_writes=', pages, ', synchronous_commit=', commits,
             ', synchronous_standby_names=', quote_literal(standbys),
             CASE WHEN kept THEN '' ELSE ', an UNLOGGED table' END, ', transaction_read_only=', read_only,
             CASE WHEN pg_is_in_recovery() THEN ', a standby' ELSE '' END)
             FROM (SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
             current_setting('synchronous_commit') AS commits,
             current_setting('synchronous_standby_names') AS standbys,
             current_setting('transaction_read_only') AS read_only,
             (SELECT coalesce(bool_and(relpersistence = 'p'), TRUE) FROM pg_class WHERE oid = to_regclass('{table}')
             OR oid IN (SELECT relid FROM pg_partition_tree(to_regclass('{table}')))) AS kept) said
            cure: On the server set fsync=on, full_page_writes=on and synchronous_commit=on (this one also as
             ?options=-c%20synchronous_commit=on in the data source's url), for 'replicated' also
             synchronous_standby_names, and let the table not be UNLOGGED

            # of the transaction, as the level is: behind a pooler the session is somebody else's a moment later
            lock_wait: SELECT current_setting('lock_timeout')
            set_lock_wait: SELECT set_config('lock_timeout', '%s', true)
            calm: SET TRANSACTION ISOLATION LEVEL READ COMMITTED
            locked: 55P03
            no_table: 42P01 3F000
            read_only: 25006
            # insufficient privilege for pg_notify, and a full queue of notifications
            cannot_tell: 42501 54000
            """;

    private PostgresStatements() {}
}

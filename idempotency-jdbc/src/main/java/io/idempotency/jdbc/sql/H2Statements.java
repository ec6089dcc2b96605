package io.idempotency.jdbc.sql;

/** H2 2.2 and later, in memory, in a file or as a server. */
final class H2Statements {

    static final String TEXTS = """
            # EXTRACT(EPOCH) computes with decimals, which takes longer than the rest of a replay; DATEDIFF counts local time
            now: DATEDIFF(MILLISECOND, {epoch}, {utc})
            now_us: DATEDIFF(MICROSECOND, {epoch}, {utc})
            epoch: TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00'
            utc: CURRENT_TIMESTAMP AT TIME ZONE '+00'
            # one row, without a nested query, which H2 parses and plans for longer than it runs: a key that is there gets
            # 23505, and is looked for
            claim: SELECT id, fence, claimed_at_ms FROM FINAL TABLE (
             INSERT INTO {table} {claim_columns} VALUES ({claim_values}))
            # a failed insert costs several times a SELECT in the same process, and that a fifth of a first call
            look_first_from: 10
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
            # it would hold for the session from then on, and what ends a statement of a file may close the file
            limits_statements: no
            locked: HYT00 90131
            no_table: 42S02 42S03 42S04 90079
            read_only: 90097
            """;

    private H2Statements() {}
}

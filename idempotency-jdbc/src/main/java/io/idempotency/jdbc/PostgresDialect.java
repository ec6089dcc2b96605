package io.idempotency.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** PostgreSQL 12 and later. */
final class PostgresDialect extends Dialect {

    /** Whether a caller of any node waits for the row. */
    static final String WAITED_FOR = "waited_for";

    private static final Set<String> NO_TABLE = Set.of("42P01", "3F000");

    /** Insufficient privilege for pg_notify, and a full queue of notifications. */
    private static final Set<String> CANNOT_TELL = Set.of("42501", "54000");

    /** A row that another transaction holds does not keep up those that have nothing to do with it. */
    private static final String BRIEFLY = "set_config('lock_timeout', '100', true)";

    private static final String DURABILITY = """
            SELECT pg_is_in_recovery() OR read_only = 'on',
              fsync = 'on' AND pages = 'on' AND commits <> 'off' AND kept,
              fsync = 'on' AND pages = 'on' AND commits IN ('on', 'remote_apply') AND kept AND standbys <> '',
              concat('fsync=', fsync, ', full_page_writes=', pages, ', synchronous_commit=', commits,
                ', synchronous_standby_names=', quote_literal(standbys),
                CASE WHEN kept THEN '' ELSE ', an UNLOGGED table' END, ', transaction_read_only=', read_only,
                CASE WHEN pg_is_in_recovery() THEN ', a standby' ELSE '' END)
            FROM (SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
              current_setting('synchronous_commit') AS commits, current_setting('synchronous_standby_names') AS standbys,
              current_setting('transaction_read_only') AS read_only,
              (SELECT coalesce(bool_and(relpersistence = 'p'), TRUE) FROM pg_class WHERE oid = to_regclass('{table}')
                OR oid IN (SELECT relid FROM pg_partition_tree(to_regclass('{table}')))) AS kept) said""";

    PostgresDialect() {
        super("PostgreSQL", "postgresql");
    }

    @Override
    String clock(int unitsPerSecond) {
        return clock("clock_timestamp()", unitsPerSecond);
    }

    /** It moves between two readings of {@link #clock}, and a record whose ends do not agree is not trusted. */
    @Override
    String statementClock() {
        return clock("statement_timestamp()", 1_000);
    }

    /** EXTRACT computes with decimals, for several times as long. A double tells microseconds apart until 2255, and the cast rounds. */
    private static String clock(String reading, int unitsPerSecond) {
        return "CAST(date_part('epoch', " + reading + ") * " + unitsPerSecond + " AS BIGINT)";
    }

    // a partial index seems to be empty where nothing was in progress when statistics were taken, and then the planner
    // reads all of it rather than look a key up; every call since may have left an entry there
    @Override
    String stateOfOne() {
        return "(state || '')";
    }

    @Override
    String claim() {
        return CLAIM.formatted("", "");
    }

    // of two statements with the same keys one waits for the other, and neither for ever, where both have them in order
    @Override
    String claimTogether() {
        return CLAIM.formatted(", " + BRIEFLY + " AS brief", ", {asked} ORDER BY :id");
    }

    @Override
    String findTogether(String find) {
        return find.replace(" WHERE ", ", {asked} WHERE ");
    }

    @Override
    String settlingTogether(String update, boolean tells) {
        return "WITH brief AS MATERIALIZED (SELECT " + BRIEFLY + ") "
                + update.replaceFirst(" WHERE ", " FROM brief, {asked} WHERE ")
                + " RETURNING id" + (tells ? telling().replace("RETURNING", ",") : "");
    }

    // The limit limits nothing, which the planner does not know: it counts on one row, and looks each key up. A plan
    // that was made while the table was small would read all of it for ever more callers, until statistics are taken.
    /** The callers' values become columns of a table. */
    @Override
    String ofMany(String text) {
        if (!text.contains("{asked}")) {
            return text;
        }
        Set<String> names = new TreeSet<>();
        String columns = Sql.NAME.matcher(text).replaceAll(name -> {
            names.add(name.group(1));
            return "p_" + name.group(1);
        });
        return columns.replace(
                "{asked}",
                names.stream()
                        .map(name -> "unnest(CAST(:" + name + "[] AS "
                                + Sql.Param.named(name).elements() + "[])) AS p_" + name)
                        .collect(Collectors.joining(
                                ", ", "(SELECT ", " LIMIT (SELECT CAST(NULL AS BIGINT))) AS asked")));
    }

    // a statement that settles the row after this one's snapshot sees the mark, or keeps this one from marking
    @Override
    String marking() {
        return """
            WITH marked AS (
              UPDATE {table} SET waited_for = TRUE
              WHERE id = :id AND {state} = 'IN_PROGRESS' AND NOT waited_for
              RETURNING id)
            SELECT id FROM {table} WHERE id = :id AND {state} = 'IN_PROGRESS'
              AND (waited_for OR EXISTS (SELECT 1 FROM marked))
            """;
    }

    @Override
    String unmarked() {
        return "waited_for = FALSE, ";
    }

    @Override
    String telling() {
        return "RETURNING CASE WHEN waited_for THEN CAST(pg_notify('{channel}', id) AS text) END";
    }

    /** Its index has what is open in one order. The first condition says no more than the second, but that index asks for it. */
    @Override
    String listInDoubt(String list) {
        return list.formatted("{open} AND (state = 'IN_DOUBT' OR ({overdue}))", "");
    }

    @Override
    List<String> ownColumns() {
        return List.of(WAITED_FOR);
    }

    private static final String CLAIM = """
            INSERT INTO {table}
              (id, operation, fingerprint, state, owner, fence, attempt, claimed_at_ms, lease_until_ms, expires_at_ms,
               retention_ms, result, result_size, format_version, checksum)
            SELECT :id, :operation, :fingerprint, 'IN_PROGRESS', :owner, now_us, 1, now_ms, now_ms + :lease_ms,
              now_ms + :retention_ms, :after_lease_ms, :result, :result_size, {format}, :checksum
            FROM (SELECT {now} AS now_ms, {now_us} AS now_us%s OFFSET 0) clock%s
            ON CONFLICT (id) DO NOTHING
            RETURNING id, fence, claimed_at_ms
            """;

    @Override
    String purge() {
        // the clock as a subquery is asked once, and lets the index stop at it
        return """
            DELETE FROM {table} WHERE id = ANY(ARRAY(
              SELECT id FROM {table} WHERE expires_at_ms <= (SELECT {now}) AND (SELECT {now}) <= :latest_ms
                AND fence <= (SELECT {now_us}) - {fence_memory_us} AND {dated} AND {unaudited}
              ORDER BY expires_at_ms LIMIT :limit FOR UPDATE SKIP LOCKED))
            """;
    }

    // what was counted since the server started, or at the last ANALYZE where that is more; a partitioned table has
    // parts
    @Override
    String approximateSize(TableName table) {
        return """
            SELECT CAST(sum(greatest(s.n_live_tup, c.reltuples)) AS BIGINT)
            FROM pg_class c JOIN pg_stat_all_tables s ON s.relid = c.oid
            WHERE c.relkind = 'r' AND (c.oid = to_regclass('{table}')
              OR c.oid IN (SELECT relid FROM pg_partition_tree(to_regclass('{table}'))))
            """;
    }

    /** Local to the transaction. */
    @Override
    LockWait lockWait(Duration limit) {
        return new LockWait(
                "SELECT current_setting('lock_timeout')",
                "SELECT set_config('lock_timeout', '%s', true)",
                Math.max(1, limit.toMillis()));
    }

    /** The session keeps its level: behind a pooler in transaction mode it is somebody else's a moment later. */
    @Override
    <T> T calmly(Connection connection, ConnectionSource.Work<T> work) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement level = connection.createStatement()) {
            level.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
            T answer = work.on(connection);
            connection.commit();
            return answer;
        } catch (SQLException | RuntimeException e) {
            rollBack(connection, e);
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private static void rollBack(Connection connection, Exception failure) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }

    @Override
    String durability(TableName table) {
        return DURABILITY.replace("{table}", table.qualified());
    }

    @Override
    String uniqueId() {
        return """
            SELECT 1 FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
            WHERE i.indrelid = to_regclass(concat(nullif(CAST(? AS text), '') || '.', CAST(? AS text))) AND i.indisunique AND i.indisvalid
              AND i.indnkeyatts = 1 AND i.indpred IS NULL AND a.attname = 'id'
            """;
    }

    /** As the names of its log's files have it: at once, where the control file changes with the next checkpoint only. */
    @Override
    String timeline() {
        return """
            SELECT CASE WHEN NOT pg_is_in_recovery()
              THEN CAST(CAST('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8) AS bit(32)) AS bigint) END
            """;
    }

    @Override
    String cure() {
        return "On the server set fsync=on, full_page_writes=on and synchronous_commit=on (this one also as"
                + " ?options=-c%20synchronous_commit=on in the data source's url), for 'replicated' also"
                + " synchronous_standby_names, and let the table not be UNLOGGED";
    }

    @Override
    boolean locked(SQLException e) {
        return "55P03".equals(e.getSQLState());
    }

    @Override
    boolean noTable(SQLException e) {
        return NO_TABLE.contains(String.valueOf(e.getSQLState()));
    }

    @Override
    boolean readOnly(SQLException e) {
        return "25006".equals(e.getSQLState());
    }

    @Override
    boolean cannotTell(SQLException e) {
        return CANNOT_TELL.contains(String.valueOf(e.getSQLState()));
    }
}

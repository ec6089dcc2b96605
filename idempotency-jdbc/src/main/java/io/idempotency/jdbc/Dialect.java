package io.idempotency.jdbc;

import io.micronaut.context.exceptions.ConfigurationException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What differs between databases. Instants are milliseconds since the epoch by the database's clock at the moment of
 * the statement, never of the transaction; {@code {now}} stands for them, {@code {now_us}} for microseconds.
 */
enum Dialect {
    H2("h2", List.of("H2"), "CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * {per_s}) AS BIGINT)") {
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
        String reclaim() {
            return "";
        }

        @Override
        String purge() {
            return "DELETE FROM {table} WHERE {purgeable} FETCH FIRST :limit ROWS ONLY";
        }
    },

    POSTGRESQL(
            "postgresql",
            List.of("PostgreSQL"),
            "CAST(FLOOR(EXTRACT(EPOCH FROM clock_timestamp()) * {per_s}) AS BIGINT)") {
        // a replay only reads; a claim that lost a race to a row its snapshot does not show answers nothing, and is
        // asked again
        @Override
        String claim() {
            return CLAIM.formatted("", "");
        }

        // what it could not mark has changed since its snapshot, and is asked about again
        @Override
        String claimWaiting() {
            return CLAIM.formatted("""
                marked AS (
                  UPDATE {table} r SET waited_for = TRUE FROM found
                  WHERE r.id = found.id AND r.fence = found.fence AND r.state = 'IN_PROGRESS' AND NOT r.waited_for
                    AND r.format_version <= {format}
                  RETURNING r.id),
                """, """
                WHERE waited_for OR state <> 'IN_PROGRESS' OR format_version > {format}
                  OR EXISTS (SELECT 1 FROM marked)
                """);
        }

        @Override
        String telling() {
            return "RETURNING CASE WHEN waited_for THEN CAST(pg_notify('{channel}', id) AS text) END";
        }

        @Override
        List<String> ownColumns() {
            return List.of(WAITED_FOR);
        }

        private static final String CLAIM = """
                WITH clock AS MATERIALIZED (SELECT {now} AS now_ms, {now_us} AS now_us),
                found AS MATERIALIZED (
                  SELECT r.*, clock.now_ms FROM {table} r, clock WHERE r.id = :id AND NOT ({claimable by clock})),
                %s
                put AS (
                  INSERT INTO {table} AS r
                    (id, operation, fingerprint, state, owner, fence, attempt, claimed_at_ms, lease_until_ms,
                     expires_at_ms, format_version)
                  SELECT :id, :operation, :fingerprint, 'IN_PROGRESS', :owner, now_us, 1, now_ms, now_ms + :lease_ms,
                    now_ms + :retention_ms, {format}
                  FROM clock WHERE NOT EXISTS (SELECT 1 FROM found)
                  ON CONFLICT (id) DO UPDATE SET
                    operation = excluded.operation, fingerprint = excluded.fingerprint, state = 'IN_PROGRESS',
                    owner = excluded.owner, fence = GREATEST(r.fence + 1, excluded.fence),
                    attempt = CASE WHEN r.expires_at_ms <= excluded.claimed_at_ms THEN 1 ELSE r.attempt + 1 END,
                    waited_for = CASE WHEN r.expires_at_ms <= excluded.claimed_at_ms THEN FALSE ELSE r.waited_for END,
                    claimed_at_ms = excluded.claimed_at_ms, lease_until_ms = excluded.lease_until_ms,
                    settled_at_ms = NULL, expires_at_ms = excluded.expires_at_ms, {no_outcome}, format_version = {format}
                  WHERE {claimable by row}
                  RETURNING r.*)
                SELECT {columns}, clock.now_ms FROM put, clock
                UNION ALL
                SELECT {columns}, now_ms FROM found %s
                """;

        @Override
        String reclaim() {
            return "";
        }

        @Override
        String purge() {
            // the clock as a subquery is asked once, and lets the index stop at it
            return """
                DELETE FROM {table} WHERE id = ANY(ARRAY(
                  SELECT id FROM {table} WHERE expires_at_ms <= (SELECT {now})
                    AND fence <= (SELECT {now_us}) - {fence_memory_us}
                  ORDER BY expires_at_ms LIMIT :limit FOR UPDATE SKIP LOCKED))
                """;
        }
    },

    /** The insert answers its row or, assigning nothing, the row that is there. */
    MARIADB(
            "mysql",
            List.of("MariaDB"),
            "(TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) DIV {us})") {
        @Override
        String claim() {
            return INSERT + UNLESS_THERE + " RETURNING {columns}, {now}";
        }

        @Override
        String purge() {
            return MYSQL_PURGE;
        }
    },

    MYSQL(
            "mysql",
            List.of("MySQL"),
            "(TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) DIV {us})") {
        @Override
        String claim() {
            return INSERT + UNLESS_THERE;
        }

        @Override
        String purge() {
            return MYSQL_PURGE;
        }
    },

    /** Written from the manual; never run. */
    ORACLE(
            "oracle",
            List.of("Oracle"),
            "(ROUND((TRUNC(SYS_EXTRACT_UTC(SYSTIMESTAMP), 'MI') - DATE '1970-01-01') * 86400) * {per_s}"
                    + " + FLOOR(EXTRACT(SECOND FROM SYS_EXTRACT_UTC(SYSTIMESTAMP)) * {per_s}))") {
        @Override
        String purge() {
            return "DELETE FROM {table} WHERE {purgeable} AND ROWNUM <= :limit";
        }

        @Override
        String limit() {
            return "FETCH FIRST :limit ROWS ONLY";
        }
    },

    /** Written from the manual; never run. */
    SQL_SERVER(
            "sqlserver",
            List.of("Microsoft SQL Server"),
            "(DATEDIFF_BIG(MICROSECOND, '1970-01-01', SYSUTCDATETIME()) / {us})") {
        @Override
        String purge() {
            return "DELETE TOP (:limit) FROM {table} WITH (ROWLOCK, READPAST) WHERE {purgeable}";
        }

        @Override
        String limit() {
            return "OFFSET 0 ROWS FETCH NEXT :limit ROWS ONLY";
        }
    };

    /** Whether a caller of any node waits for the row. */
    static final String WAITED_FOR = "waited_for";

    private static final String INSERT = """
            INSERT INTO {table}
              (id, operation, fingerprint, state, owner, fence, attempt, claimed_at_ms, lease_until_ms, expires_at_ms,
               format_version)
            VALUES (:id, :operation, :fingerprint, 'IN_PROGRESS', :owner, {now_us}, 1, {now}, {now} + :lease_ms,
              {now} + :retention_ms, {format})""";

    // neither an error, which MariaDB's driver would log, nor IGNORE, which would cut values that are too long
    private static final String UNLESS_THERE = " ON DUPLICATE KEY UPDATE id = id";

    // MySQL assigns from left to right: what is asked about is assigned last
    private static final String RECLAIM = """
            UPDATE {table} SET attempt = CASE WHEN expires_at_ms <= {now} THEN 1 ELSE attempt + 1 END, {raised},
              operation = :operation, fingerprint = :fingerprint, owner = :owner, state = 'IN_PROGRESS',
              claimed_at_ms = {now}, lease_until_ms = {now} + :lease_ms, settled_at_ms = NULL,
              expires_at_ms = {now} + :retention_ms, {no_outcome}, format_version = {format}
            WHERE id = :id AND ({claimable here})""";

    // the second select stands between the table and itself, as MySQL wants it
    private static final String MYSQL_PURGE = """
            DELETE FROM {table} WHERE id IN (SELECT id FROM (
              SELECT id FROM {table} WHERE {purgeable} ORDER BY expires_at_ms LIMIT :limit
              FOR UPDATE SKIP LOCKED) expired)""";

    private final String key;
    private final List<String> products;
    private final String clock;

    Dialect(String key, List<String> products, String clock) {
        this.key = key;
        this.products = products;
        this.clock = clock;
    }

    /**
     * Claims a key that is absent. Where it also claims one that is expired or in doubt, {@link #reclaim} is empty. It
     * answers the row where it can; without an answer, and after SQLState 23xxx, the row is looked for.
     */
    String claim() {
        return INSERT;
    }

    /** As {@link #claim}, for a caller that waits: marks a row in progress as waited for. Empty where nobody is told. */
    String claimWaiting() {
        return "";
    }

    /** Ends a statement that settles a row: tells those who wait for it. Empty where they find out by themselves. */
    String telling() {
        return "";
    }

    /** The columns that only this database's table has. */
    List<String> ownColumns() {
        return List.of();
    }

    /** Claims a row that is expired, or in doubt and to be taken over; empty where {@link #claim} does. */
    String reclaim() {
        return RECLAIM;
    }

    /**
     * Removes at most so many expired rows, passing over those that another node is removing, and those whose fence has
     * still to be remembered.
     */
    abstract String purge();

    /** Ends a query that wants at most so many rows. */
    String limit() {
        return "LIMIT :limit";
    }

    /** The expression for the database's clock, in the given fraction of a second. */
    String clock(int unitsPerSecond) {
        return clock.replace("{per_s}", Integer.toString(unitsPerSecond))
                .replace("{us}", Integer.toString(1_000_000 / unitsPerSecond));
    }

    /** Whether a driver's limit for one statement holds for that statement. H2's holds for the session from then on. */
    boolean limitsStatements() {
        return this != H2;
    }

    /** The name of the folder that holds its table definition. */
    String key() {
        return key;
    }

    static Dialect of(String product) {
        return Arrays.stream(values())
                .filter(dialect -> dialect.products.contains(product))
                .findFirst()
                .orElseThrow(() -> new ConfigurationException("The JDBC idempotency store does not know the database '"
                        + product + "'; it knows " + known()
                        + ". Point idempotency.jdbc.datasource at one of them, or choose another idempotency.store."));
    }

    private static String known() {
        return Arrays.stream(values())
                .flatMap(dialect -> dialect.products.stream())
                .collect(Collectors.joining(", "));
    }
}

package io.idempotency.jdbc;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordState;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The statements of one store, ready to be prepared: what all databases share, with the dialect's own filled in. Every
 * one of them is atomic by itself.
 */
record Statements(
        Sql claim,
        boolean answersRow,
        Sql reclaim,
        Optional<Sql> mark,
        Sql find,
        Sql seen,
        Sql complete,
        Sql fail,
        Sql release,
        Sql doubt,
        Sql renew,
        Sql listInProgress,
        Sql listInDoubt,
        Sql listSettled,
        Sql resolveComplete,
        Sql resolveFail,
        Sql forget,
        Sql erase,
        Sql audit,
        Sql purge,
        Sql remove,
        Sql newestFormat,
        Sql now,
        Sql keepTime,
        Sql firstTime,
        Sql keptTime,
        Sql approximateSize,
        @Nullable Sql timeline,
        Sql acceptedTimeline,
        Sql acceptTimeline,
        boolean tells) {

    /** The format that this version of the library writes, and the newest that it reads. */
    static final int FORMAT = 2;

    /** From here on a record says what it holds in a checksum, and twice when it expires. */
    static final int CHECKED_FORMAT = 2;

    /** What {@link RecordRow} reads, in its order, followed by the clock. */
    static final String COLUMNS = "id, operation, fingerprint, state, owner, fence, attempt, claimed_at_ms,"
            + " lease_until_ms, settled_at_ms, expires_at_ms, result_kind, result, result_omitted, result_size,"
            + " failure_type, failure_message, failure_code, doubt, format_version, retention_ms, checksum";

    /** A result whose length is not what the row says is not fetched. */
    private static final String SELECTED = COLUMNS.replace(
            " result,",
            " CASE WHEN OCTET_LENGTH(result) = result_size AND result_size <= " + (1L << 28)
                    + " THEN result END AS result,");

    /** Until a row is settled its result's columns hold the arguments of its claim: they go where an outcome comes. */
    private static final String NO_ARGUMENTS = "result = NULL, result_size = NULL";

    /** What operators decided. No other statement touches them, so that they outlive the record and later claims. */
    static final String AUDIT_COLUMNS = "audit, audit_until_ms";

    /** Also one that is over, which {@link RecordRow} tells: the condition took PostgreSQL a sixth of a replay. */
    private static final String FIND = "SELECT {columns}, {now} FROM {table} WHERE id = :id";

    /** False where a row was given another expiry by hand: it counts from when it was settled, and before from its lease's end. */
    private static final String DATED = "(format_version < " + CHECKED_FORMAT
            + " OR COALESCE(expires_at_ms = COALESCE(settled_at_ms, lease_until_ms) + retention_ms, FALSE))";

    /** The same where a row may also be kept for ever. */
    private static final String SOUND = "((expires_at_ms IS NULL AND retention_ms IS NULL) OR {dated})";

    private static final String UNEXPIRED = "(expires_at_ms IS NULL OR expires_at_ms > {now})";
    private static final String LIVE = "(expires_at_ms IS NULL OR expires_at_ms > {now} OR NOT {dated})";
    private static final String OVERDUE = "{state} = 'IN_PROGRESS' AND lease_until_ms <= {now}";

    private static final String HELD =
            "id = :id AND owner = :owner AND fence = :fence AND {live} AND format_version <= {format}";
    private static final String SEEN =
            "id = :id AND fence = :fence AND ({state} = 'IN_DOUBT' OR ({overdue})) AND {unexpired} AND {sound}"
                    + " AND format_version <= {format}";
    /** As it was read. An owner that came back meanwhile, or another erasure, changed the state, the lease or the checksum. */
    private static final String ERASABLE =
            "id = :id AND fence = :fence AND (checksum IS NULL OR checksum = :seen_checksum)"
                    + " AND ({state} = :state OR (:state = 'IN_DOUBT' AND {overdue})) AND {unexpired} AND {sound}"
                    + " AND format_version <= {format}";

    private static final String OPEN = "{state} IN ('IN_PROGRESS', 'IN_DOUBT')";
    private static final String NEVER_IN_DOUBT = "{state} = 'IN_PROGRESS' AND lease_until_ms > {now} AND doubt IS NULL";
    /** Not before it was claimed: where the clock was set back meanwhile, it would be forgotten when that is mended. */
    private static final String SETTLED = "settled_at_ms = GREATEST({began}, claimed_at_ms),"
            + " expires_at_ms = GREATEST({began}, claimed_at_ms) + :retention_ms, retention_ms = :retention_ms";

    /** The row stays until it is purged, because of its fence: the next claim is given a higher one under the row's lock. */
    private static final String ABSENT = "settled_at_ms = 0, expires_at_ms = 0, retention_ms = 0, " + NO_ARGUMENTS;

    /** A driver may leave it to the server to find out of what type a text is, which of CONCAT alone it cannot. */
    private static final String AUDITED =
            "audit = CONCAT(COALESCE(audit, ''), COALESCE(:audit, '')), audit_until_ms = {now} + :audit_ms";

    /** Never where the trail is kept for ever. */
    private static final String UNAUDITED = "(audit IS NULL OR audit_until_ms <= {now})";

    private static final String RAISED = "fence = GREATEST(fence + 1, {now_us})";
    private static final String RESULT = "state = 'COMPLETED', result_kind = :result_kind, result = :result,"
            + " result_omitted = :result_omitted, result_size = :result_size, doubt = NULL, {checked}";
    private static final String FAILURE = "state = 'FAILED', failure_type = :failure_type,"
            + " failure_message = :failure_message, failure_code = :failure_code, doubt = NULL, " + NO_ARGUMENTS
            + ", {checked}";

    /** The claim's checksum is there already. */
    private static final String CHECKED = "checksum = checksum + :checksum";

    private static final String NO_OUTCOME = "result_kind = NULL, result_omitted = NULL,"
            + " failure_type = NULL, failure_message = NULL, failure_code = NULL, doubt = NULL";

    /** Behind a wait, or a clock that was set back: a claim may yet come with a reading that is older than this fence. */
    private static final String FENCE_MEMORY =
            Long.toString(TimeUnit.NANOSECONDS.toMicros(IdempotencyStore.FENCE_MEMORY.toNanos()));

    private static final String PURGEABLE =
            "expires_at_ms <= {now} AND {now} <= :latest_ms AND fence <= {now_us} - {fence_memory_us} AND {dated}"
                    + " AND " + UNAUDITED;

    private static final String LIST = "SELECT {columns}, {now} FROM {table} WHERE %s AND {unexpired}"
            + " AND claimed_at_ms <= {now} - :older_than_ms AND (:any_operation = 1 OR operation = :operation)"
            + " AND claimed_at_ms >= :after_ms AND (claimed_at_ms > :after_ms OR id > :after_id)"
            + " ORDER BY %sclaimed_at_ms, id LIMIT :limit";

    /** No claim, list or purge sees it, and no version of the library reads it as a record. */
    private static final String CLOCK_ROW = "INSERT INTO {table} (id, operation, fingerprint, state, owner, fence,"
            + " attempt, claimed_at_ms, lease_until_ms, format_version)"
            + " VALUES (:id, 'idempotency-clock', '', 'CLOCK', '', 0, 0, {now}, 0, 1)";

    /** Expired, or in doubt and to be taken over: the only rows that a claim writes on. None where the clock jumped. */
    private static final String CLAIMABLE = "{now} <= :latest_ms AND {sound} AND (expires_at_ms <= {now}"
            + " OR (:take_over = 1 AND format_version <= {format} AND operation = :operation"
            + " AND fingerprint = :fingerprint AND owner <> :owner AND result_kind IS NULL AND failure_type IS NULL"
            + " AND ({state} = 'IN_DOUBT' OR ({overdue}))))";

    /**
     * Fills them in.
     *
     * @param telling whether those who wait are to be told, where the database can
     */
    static Statements of(Dialect dialect, TableName table, boolean telling) {
        boolean tells = telling && !dialect.telling().isEmpty();
        Template in = new Template(dialect, table, tells);
        return new Statements(
                in.sql(dialect.claim()).orTogether(in.filled(dialect.claimTogether())),
                dialect.answersRow(),
                in.sql(Dialect.RECLAIM),
                Optional.of(dialect.marking())
                        .filter(text -> tells && !text.isEmpty())
                        .map(in::sql),
                in.sql(FIND).orTogether(in.filled(dialect.findTogether(FIND))),
                in.sql("UPDATE {table} SET doubt = '" + IdempotencyStore.LEASE_OVER
                        + "' WHERE id = :id AND fence = :fence AND {state} = 'IN_PROGRESS' AND doubt IS NULL"
                        + " AND lease_until_ms <= {now} AND format_version <= {format}"),
                in.settling("UPDATE {table} SET {result}, {settled} WHERE {held} AND {open}"),
                in.settling("UPDATE {table} SET {failure}, {settled} WHERE {held} AND {open}"),
                in.settling("UPDATE {table} SET {absent} WHERE {held} AND {never_in_doubt}"),
                in.settling("UPDATE {table} SET state = 'IN_DOUBT', doubt = :doubt, {settled}"
                        + " WHERE {held} AND {state} = 'IN_PROGRESS'"),
                in.sql("UPDATE {table} SET doubt = CASE WHEN lease_until_ms > {now} THEN doubt ELSE '"
                        + IdempotencyStore.RENEWED_LATE
                        + "' END, lease_until_ms = {began} + :lease_ms, expires_at_ms = {began} + :retention_ms,"
                        + " retention_ms = :after_lease_ms"
                        + " WHERE {held} AND {state} = 'IN_PROGRESS'"),
                in.list(LIST.formatted("{state} = 'IN_PROGRESS' AND lease_until_ms > {now}", Dialect.BY_STATE)),
                in.list(dialect.listInDoubt(LIST)),
                in.list(LIST.formatted("{state} = :state", Dialect.BY_STATE)),
                in.sql("UPDATE {table} SET {result}, {raised}, {settled}, {audited} WHERE {seen}"),
                in.sql("UPDATE {table} SET {failure}, {raised}, {settled}, {audited} WHERE {seen}"),
                in.sql("UPDATE {table} SET {absent}, {audited} WHERE {seen}"),
                in.sql("UPDATE {table} SET result_kind = :result_kind, result = NULL, result_omitted = :result_omitted,"
                        + " result_size = :result_size, failure_message = NULL, failure_code = NULL,"
                        + " doubt = COALESCE(:doubt, doubt), {checked}, {audited} WHERE {erasable}"),
                in.sql(
                        "SELECT audit FROM {table} WHERE id = :id AND (audit_until_ms IS NULL OR audit_until_ms > {now})"),
                in.sql(dialect.purge()),
                in.sql("DELETE FROM {table} WHERE {held}"),
                in.sql("SELECT format_version FROM {table} WHERE expires_at_ms IS NOT NULL"
                        + " ORDER BY expires_at_ms DESC LIMIT :limit"),
                in.sql("SELECT {now}"),
                in.sql("UPDATE {table} SET claimed_at_ms = {now} WHERE id = :id AND {now} <= :latest_ms"),
                in.sql(CLOCK_ROW),
                in.sql("SELECT claimed_at_ms FROM {table} WHERE id = :id"),
                in.sql(dialect.approximateSize(table)),
                dialect.timeline() == null ? null : Sql.parse(dialect.timeline()),
                in.sql("SELECT fence FROM {table} WHERE id = :id"),
                in.sql("UPDATE {table} SET fence = :fence WHERE id = :id"),
                tells);
    }

    Sql list(RecordState state) {
        return switch (state) {
            case IN_PROGRESS -> listInProgress;
            case IN_DOUBT -> listInDoubt;
            case COMPLETED, FAILED -> listSettled;
        };
    }

    private record Template(Dialect dialect, TableName table, boolean tells) {

        Sql settling(String text) {
            Sql quietly = sql(text);
            String together = filled(dialect.settlingTogether(text, tells));
            return (tells ? sql(text + ' ' + dialect.telling()).or(quietly) : quietly).orTogether(together);
        }

        /** By the index of states. */
        Sql list(String text) {
            return sql(
                    text.replace("{overdue}", OVERDUE).replace("{open}", OPEN).replace("{state}", "state"));
        }

        Sql sql(String text) {
            return Sql.parse(filled(text));
        }

        /** What the database is to be sent for many is made of the rest. */
        String filled(String text) {
            return dialect.ofMany(text.replace("{purgeable}", PURGEABLE)
                    .replace("{held}", HELD)
                    .replace("{seen}", SEEN)
                    .replace("{erasable}", ERASABLE)
                    .replace("{unexpired}", UNEXPIRED)
                    .replace("{live}", LIVE)
                    .replace("{open}", OPEN)
                    .replace("{never_in_doubt}", NEVER_IN_DOUBT)
                    .replace("{absent}", ABSENT)
                    .replace("{settled}", SETTLED)
                    .replace("{raised}", RAISED)
                    .replace("{audited}", AUDITED)
                    .replace("{unaudited}", UNAUDITED)
                    .replace("{result}", RESULT)
                    .replace("{failure}", FAILURE)
                    .replace("{checked}", CHECKED)
                    .replace("{no_outcome}", NO_OUTCOME)
                    .replace("{unmarked}", dialect.unmarked())
                    .replace("{claimable}", CLAIMABLE)
                    .replace("{overdue}", OVERDUE)
                    .replace("{sound}", SOUND)
                    .replace("{dated}", DATED)
                    .replace("{state}", dialect.stateOfOne())
                    .replace("{columns}", SELECTED)
                    .replace("{channel}", table.channel())
                    .replace("{table}", table.qualified())
                    .replace("{format}", Integer.toString(FORMAT))
                    .replace("{fence_memory_us}", FENCE_MEMORY)
                    .replace("{began}", dialect.statementClock())
                    .replace("{now}", dialect.clock(1_000))
                    .replace("{now_us}", dialect.clock(1_000_000)));
        }
    }
}

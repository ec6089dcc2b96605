package io.idempotency.jdbc;

import io.idempotency.jdbc.connection.StatementRunner;
import io.idempotency.jdbc.sql.RecordRow;
import io.idempotency.jdbc.sql.Sql.Param;
import io.idempotency.jdbc.sql.StatementValues;
import io.idempotency.jdbc.sql.Statements.Verb;
import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordQuery;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.RecordsMayBeMissing;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoreHealth;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.idempotency.runtime.store.UnreadableRecordException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The records as operators see and change them, and what is done for the table as a whole.
 *
 * @param table the records
 */
record RecordAdministration(RecordTable table) {

    private static final Logger LOG = LoggerFactory.getLogger(RecordAdministration.class);

    private StatementRunner database() {
        return table.database();
    }

    Settled resolve(RecordId id, long fence, Resolution resolution, AuditNote note) {
        StatementValues values = StatementValues.of(id).with(Param.FENCE, fence).with(note);
        Verb verb = Verb.FORGET;
        if (resolution instanceof Resolution.Complete complete) {
            values.settling(complete.result(), null, complete.retention());
            verb = Verb.RESOLVE_COMPLETE;
        } else if (resolution instanceof Resolution.Fail fail) {
            values.settling(null, fail.failure(), fail.retention());
            verb = Verb.RESOLVE_FAIL;
        }
        return database().update(verb, values) == 1 ? RecordTable.APPLIED : new Settled.Stale(table.find(id));
    }

    /** Erases what a record says of the call's data. Not one whose lease stands: its owner may still record an outcome. */
    Settled erase(RecordId id, AuditNote note) {
        for (int round = 0; round < RecordTable.ROUNDS; round++) {
            StoredRecord record = table.find(id);
            if (record == null || record.state() == RecordState.IN_PROGRESS) {
                return new Settled.Stale(record);
            }
            if (database().update(Verb.ERASE, erased(record).with(note)) == 1) {
                return RecordTable.APPLIED;
            }
            RecordTable.pause(round);
        }
        throw RecordTable.contended(id);
    }

    private static StatementValues erased(StoredRecord record) {
        StoredResult result = record.result() == null ? null : StoredResult.ERASED;
        StoredFailure failure =
                record.failure() == null ? null : record.failure().erased();
        long before = StatementValues.checksum(record, record.result(), record.failure());
        return StatementValues.of(record.id())
                .with(Param.FENCE, record.fence())
                .with(Param.STATE, record.state().name())
                .settling(result, null, IdempotencyStore.FOREVER)
                .with(Param.DOUBT, RecordTable.doubted(record) ? IdempotencyStore.ERASED : null)
                .with(Param.CHECKSUM, StatementValues.checksum(record, result, failure) - before)
                .with(Param.SEEN_CHECKSUM, before);
    }

    /** Asks the server, and shows the records that may be missing. */
    StoreHealth health(Durability durability, @Nullable RecordsMayBeMissing missing) {
        boolean believed = table.clock().believes(table.clockRow().now());
        Map<String, String> details = new TreeMap<>(database().ask(durability::health));
        if (missing != null) {
            details.put("recordsMayBeMissing", missing.toString());
        }
        table.clock().problem().ifPresent(problem -> details.put("clock", problem));
        return new StoreHealth(believed && !details.containsKey(Durability.PROBLEM), details);
    }

    List<String> audit(RecordId id) {
        return database()
                .text(Verb.AUDIT, StatementValues.of(id))
                .map(trail -> trail.lines().toList())
                .orElse(List.of());
    }

    List<StoredRecord> list(RecordQuery query) {
        RecordQuery.Position after = query.after();
        StatementValues values = new StatementValues()
                .with(Param.STATE, query.state().name())
                .with(Param.OLDER_THAN_MS, query.olderThan())
                .with(Param.ANY_OPERATION, query.operation() == null ? 1 : 0)
                .with(Param.OPERATION, query.operation())
                .with(Param.AFTER_MS, (Object)
                        (after == null ? -1L : after.claimedAt().toEpochMilli()))
                .with(Param.AFTER_ID, after == null ? " " : after.id().value())
                .with(Param.LIMIT, query.limit());
        Verb list = switch (query.state()) {
            case IN_PROGRESS -> Verb.LIST_IN_PROGRESS;
            case IN_DOUBT -> Verb.LIST_IN_DOUBT;
            case COMPLETED, FAILED -> Verb.LIST_SETTLED;
        };
        // the clock ran on between the row's condition and its reading
        return database().rows(list, values, RecordAdministration::readable).stream()
                .filter(record -> record.state() == query.state())
                .toList();
    }

    /** One that cannot be read does not hide the others from an operator. */
    private static @Nullable StoredRecord readable(ResultSet row) throws SQLException {
        try {
            return RecordRow.read(row);
        } catch (UnreadableRecordException | IllegalArgumentException e) {
            LOG.warn("Left out of a list: {}", e.getMessage());
            return null;
        }
    }

    /** Empty where the database has no statistics yet. */
    OptionalLong approximateSize() {
        return database()
                .text(Verb.APPROXIMATE_SIZE, new StatementValues())
                .map(text -> OptionalLong.of(Long.parseLong(text)))
                .orElse(OptionalLong.empty());
    }

    int purge(int limit) {
        StatementValues values = new StatementValues().with(Param.LIMIT, limit).with(Param.LATEST_MS, (Object)
                table.clock().latestMs());
        int removed = database().update(Verb.PURGE, values);
        if (table.clock().keepsTime()) {
            table.clockRow().keepTime();
        }
        return removed;
    }
}

package io.idempotency.jdbc;

import io.idempotency.jdbc.Sql.Param;
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
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The records as operators see and change them, and what is done for the table as a whole.
 *
 * @param table the records
 */
record RecordAdministration(RecordTable table) {

    private StatementRunner database() {
        return table.database();
    }

    private Statements sql() {
        return table.sql();
    }

    Settled resolve(RecordId id, long fence, Resolution resolution, AuditNote note) {
        StatementValues values = StatementValues.of(id).with(Param.FENCE, fence).with(note);
        int changed;
        if (resolution instanceof Resolution.Complete complete) {
            values.settling(complete.result(), complete.retention());
            changed = database().update(sql().resolveComplete(), values);
        } else if (resolution instanceof Resolution.Fail fail) {
            values.settling(fail.failure(), fail.retention());
            changed = database().update(sql().resolveFail(), values);
        } else {
            changed = database().update(sql().forget(), values);
        }
        return changed == 1 ? RecordTable.APPLIED : new Settled.Stale(table.find(id));
    }

    /** Erases what a record says of the call's data. Not one whose lease stands: its owner may still record an outcome. */
    Settled erase(RecordId id, AuditNote note) {
        for (int round = 0; round < RecordTable.ROUNDS; round++) {
            StoredRecord record = table.find(id);
            if (record == null || record.state() == RecordState.IN_PROGRESS) {
                return new Settled.Stale(record);
            }
            if (database().update(sql().erase(), erased(record).with(note)) == 1) {
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
        long before = Checksum.of(record, record.result(), record.failure());
        return StatementValues.of(record.id())
                .with(Param.FENCE, record.fence())
                .with(Param.STATE, record.state().name())
                .with(result)
                .with(Param.DOUBT, RecordTable.doubted(record) ? IdempotencyStore.ERASED : null)
                .with(Param.CHECKSUM, Checksum.of(record, result, failure) - before)
                .with(Param.SEEN_CHECKSUM, before);
    }

    /** Asks the server, and shows the records that may be missing. */
    StoreHealth health(@Nullable RecordsMayBeMissing missing) {
        boolean believed = table.clock().believes(table.clockRow().now());
        Map<String, String> details = new TreeMap<>(database().durability());
        if (missing != null) {
            details.put("recordsMayBeMissing", missing.toString());
        }
        table.clock().problem().ifPresent(problem -> details.put("clock", problem));
        return new StoreHealth(believed && !details.containsKey(Durability.PROBLEM), details);
    }

    List<String> audit(RecordId id) {
        return database()
                .text(sql().audit(), StatementValues.of(id))
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
        // the clock ran on between the row's condition and its reading
        return database().readable(sql().list(query.state()), values).stream()
                .filter(record -> record.state() == query.state())
                .toList();
    }

    /** Empty where the database has no statistics yet. */
    OptionalLong approximateSize() {
        return database()
                .text(sql().approximateSize(), new StatementValues())
                .map(text -> OptionalLong.of(Long.parseLong(text)))
                .orElse(OptionalLong.empty());
    }

    int purge(int limit) {
        StatementValues values = new StatementValues().with(Param.LIMIT, limit).with(Param.LATEST_MS, (Object)
                table.clock().latestMs());
        int removed = database().update(sql().purge(), values);
        if (table.clock().keepsTime()) {
            table.clockRow().keepTime();
        }
        return removed;
    }
}

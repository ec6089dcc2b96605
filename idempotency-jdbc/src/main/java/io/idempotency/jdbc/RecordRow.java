package io.idempotency.jdbc;

import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.idempotency.runtime.store.UnreadableRecordException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Reads {@link Statements#COLUMNS} and the clock behind them off a result set. */
final class RecordRow {

    static final String PRESENT = "PRESENT";
    static final String OMITTED = "OMITTED";

    private final ResultSet row;
    private final RecordId id;

    private RecordRow(ResultSet row) throws SQLException {
        this.row = row;
        this.id = new RecordId(row.getString(1));
    }

    static StoredRecord read(ResultSet row) throws SQLException {
        return new RecordRow(row).read();
    }

    private StoredRecord read() throws SQLException {
        int format = row.getInt(20);
        if (format > Statements.FORMAT) {
            throw new UnreadableRecordException(
                    id, "format " + format + " is newer than " + Statements.FORMAT + ", the newest known here");
        }
        Instant leaseUntil = Instant.ofEpochMilli(row.getLong(9));
        Instant readAt = Instant.ofEpochMilli(row.getLong(21));
        RecordState stored = state();
        boolean abandoned = stored == RecordState.IN_PROGRESS && !readAt.isBefore(leaseUntil);
        return new StoredRecord(
                id,
                row.getString(2),
                row.getString(3),
                abandoned ? RecordState.IN_DOUBT : stored,
                row.getString(5),
                row.getLong(6),
                row.getInt(7),
                Instant.ofEpochMilli(row.getLong(8)),
                leaseUntil,
                instant(10),
                instant(11),
                readAt,
                stored == RecordState.COMPLETED ? result() : null,
                stored == RecordState.FAILED ? failure() : null,
                row.getString(19));
    }

    private RecordState state() throws SQLException {
        String text = row.getString(4);
        try {
            return RecordState.valueOf(text);
        } catch (IllegalArgumentException e) {
            throw new UnreadableRecordException(id, "unknown state '" + text + "'");
        }
    }

    private StoredResult result() throws SQLException {
        String kind = row.getString(12);
        byte[] bytes = row.getBytes(13);
        String omitted = row.getString(14);
        long size = row.getLong(15);
        if (OMITTED.equals(kind)) {
            return new StoredResult.Omitted(omitted == null ? "" : omitted, size);
        }
        if (!PRESENT.equals(kind) || bytes == null || bytes.length != size) {
            String length = bytes == null ? "no" : Integer.toString(bytes.length);
            throw new UnreadableRecordException(
                    id, "result of kind " + kind + " with " + length + " of " + size + " bytes");
        }
        return new StoredResult.Present(bytes);
    }

    private @Nullable StoredFailure failure() throws SQLException {
        String type = row.getString(16);
        return type == null ? null : new StoredFailure(type, row.getString(17), row.getString(18));
    }

    private @Nullable Instant instant(int column) throws SQLException {
        long millis = row.getLong(column);
        return row.wasNull() ? null : Instant.ofEpochMilli(millis);
    }
}

package io.idempotency.jdbc.sql;

import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredArguments;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.idempotency.runtime.store.UnreadableRecordException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Reads a record and the database's clock from a row, and refuses a row that contradicts itself. */
public final class RecordRow {

    /** The answer to the claim of an absent key. Reading all columns would take as long as the insert. */
    public record Inserted(long fence, Instant claimedAt) {

        /** Reads the answer; null when the key was there already. */
        public static @Nullable Inserted read(ResultSet row) throws SQLException {
            long fence = row.getLong(2);
            return row.wasNull() ? null : new Inserted(fence, Instant.ofEpochMilli(row.getLong(3)));
        }
    }

    static final String PRESENT = "PRESENT";
    static final String OMITTED = "OMITTED";

    private final ResultSet row;
    private final RecordId id;
    private final long leaseUntilMs;
    private final @Nullable Long settledMs;
    private final @Nullable Long expiresMs;
    private final int format;
    private final long readMs;

    private RecordRow(ResultSet row) throws SQLException {
        this.row = row;
        this.id = new RecordId(row.getString(1));
        this.leaseUntilMs = row.getLong(9);
        this.settledMs = number(10);
        this.expiresMs = number(11);
        this.format = row.getInt(20);
        this.readMs = row.getLong(23);
    }

    /** Reads a record; null for one that has expired. */
    public static @Nullable StoredRecord read(ResultSet row) throws SQLException {
        RecordRow read = new RecordRow(row);
        return read.over() ? null : read.read();
    }

    /** Tells whether the record has expired, whatever its format; false where the expiry was changed by hand. */
    private boolean over() throws SQLException {
        return expiresMs != null && expiresMs <= readMs && (format < Statements.CHECKED_FORMAT || dated());
    }

    /** Tells whether the record is kept for its retention, from the settlement or before it from the lease's end. */
    private boolean dated() throws SQLException {
        Long retention = number(21);
        return expiresMs == null || retention == null
                ? expiresMs == null && retention == null
                : expiresMs - retention == (settledMs == null ? leaseUntilMs : settledMs);
    }

    private StoredRecord read() throws SQLException {
        if (format < 1 || format > Statements.FORMAT) {
            throw unreadable("format " + format + " is not between 1 and " + Statements.FORMAT + ", the newest known");
        }
        RecordState stored = state();
        boolean abandoned = stored == RecordState.IN_PROGRESS && readMs >= leaseUntilMs;
        StoredRecord record = new StoredRecord(
                id,
                row.getString(2),
                row.getString(3),
                abandoned ? RecordState.IN_DOUBT : stored,
                row.getString(5),
                row.getLong(6),
                row.getInt(7),
                Instant.ofEpochMilli(row.getLong(8)),
                Instant.ofEpochMilli(leaseUntilMs),
                instant(settledMs),
                instant(expiresMs),
                Instant.ofEpochMilli(readMs),
                stored == RecordState.COMPLETED ? result() : null,
                stored == RecordState.FAILED ? failure() : null,
                row.getString(19),
                stored == RecordState.IN_PROGRESS || stored == RecordState.IN_DOUBT ? arguments() : null);
        if (format >= Statements.CHECKED_FORMAT) {
            check(record);
        }
        return record;
    }

    private void check(StoredRecord record) throws SQLException {
        if (!dated() || record.hasOutcome() && record.settledAt() == null) {
            throw unreadable("it does not expire when it was to: it was damaged, or changed by hand");
        }
        long stored = row.getLong(22);
        if (row.wasNull() || stored != StatementValues.checksum(record, record.result(), record.failure())) {
            throw unreadable("it does not add up to its checksum: it was damaged, or changed by hand");
        }
    }

    private RecordState state() throws SQLException {
        String text = row.getString(4);
        try {
            return RecordState.valueOf(text);
        } catch (IllegalArgumentException e) {
            throw unreadable("unknown state '" + text + "'");
        }
    }

    private StoredResult result() throws SQLException {
        String kind = row.getString(12);
        String omitted = row.getString(14);
        long size = row.getLong(15);
        if (OMITTED.equals(kind)) {
            return new StoredResult.Omitted(omitted == null ? "" : omitted, size);
        }
        byte[] bytes = row.getBytes(13);
        if (!PRESENT.equals(kind) || bytes == null || bytes.length != size) {
            throw unreadable("result of kind " + kind + " that has not its " + size + " bytes");
        }
        return new StoredResult.Present(bytes);
    }

    private @Nullable StoredArguments arguments() throws SQLException {
        byte[] bytes = row.getBytes(13);
        if (bytes != null && bytes.length > StoredArguments.MAX_BYTES) {
            throw unreadable("arguments of " + bytes.length + " bytes");
        }
        return bytes == null ? null : new StoredArguments(bytes);
    }

    private @Nullable StoredFailure failure() throws SQLException {
        String type = row.getString(16);
        return type == null ? null : new StoredFailure(type, row.getString(17), row.getString(18));
    }

    private @Nullable Long number(int column) throws SQLException {
        long number = row.getLong(column);
        return row.wasNull() ? null : number;
    }

    private static @Nullable Instant instant(@Nullable Long millis) {
        return millis == null ? null : Instant.ofEpochMilli(millis);
    }

    private UnreadableRecordException unreadable(String problem) {
        return new UnreadableRecordException(id, problem);
    }
}

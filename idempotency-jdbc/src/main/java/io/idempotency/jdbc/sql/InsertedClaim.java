package io.idempotency.jdbc.sql;

import io.idempotency.jdbc.sql.Sql.Param;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a database answers to the claim of a key that was absent: the rest of the record is what it was sent. A row with all
 * columns takes the server and the driver as long as the insert.
 *
 * @param fence of the claim
 * @param claimedAtMs by the database's clock
 */
public record InsertedClaim(long fence, long claimedAtMs) {

    /** Null for the row of a key that was there. */
    public static @Nullable InsertedClaim read(ResultSet row) throws SQLException {
        long fence = row.getLong(2);
        return row.wasNull() ? null : new InsertedClaim(fence, row.getLong(3));
    }

    /** The record that the claim left. */
    public StoredRecord record(Claim claim, StatementValues sent) {
        Instant claimedAt = Instant.ofEpochMilli(claimedAtMs);
        Long retention = (Long) sent.get(Param.RETENTION_MS);
        long lease = (Long) Objects.requireNonNull(sent.get(Param.LEASE_MS));
        return new StoredRecord(
                claim.id(),
                claim.operation(),
                claim.fingerprint(),
                RecordState.IN_PROGRESS,
                claim.owner(),
                fence,
                1,
                claimedAt,
                Instant.ofEpochMilli(claimedAtMs + lease),
                null,
                retention == null ? null : Instant.ofEpochMilli(claimedAtMs + retention),
                claimedAt,
                null,
                null,
                null,
                claim.arguments());
    }
}

package io.idempotency.jdbc.sql;

import io.idempotency.jdbc.sql.Sql.Param;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What a row must add up to: the claim's part in the lower 32 bits, and above it, once it is settled, the outcome's. So
 * each statement knows its own part, and the database adds them. It finds damage and edits by hand; an attacker who wants to
 * deceive can compute it.
 */
public final class Checksum {

    private static final int OUTCOME_SHIFT = 32;
    private static final List<Param> CLAIM = List.of(Param.ID, Param.OPERATION, Param.FINGERPRINT, Param.OWNER);
    private static final List<Param> OUTCOME = List.of(
            Param.ID,
            Param.RESULT_KIND,
            Param.RESULT,
            Param.RESULT_OMITTED,
            Param.RESULT_SIZE,
            Param.FAILURE_TYPE,
            Param.FAILURE_MESSAGE,
            Param.FAILURE_CODE,
            Param.RETENTION_MS);

    private Checksum() {}

    /**
     * What a record adds up to.
     *
     * @param record as it is, for all but its outcome
     * @param result its result, if it has one
     * @param failure its failure, if it has one
     */
    public static long of(StoredRecord record, @Nullable StoredResult result, @Nullable StoredFailure failure) {
        StatementValues values = StatementValues.of(record.id())
                .with(Param.OPERATION, record.operation())
                .with(Param.FINGERPRINT, record.fingerprint())
                .with(Param.OWNER, record.owner());
        long claim = ofClaim(values);
        if (result == null && failure == null) {
            return claim;
        }
        Duration retention = record.settledAt() == null || record.expiresAt() == null
                ? IdempotencyStore.FOREVER
                : Duration.between(record.settledAt(), record.expiresAt());
        return claim + ofOutcome(values.withOutcome(result, failure, retention));
    }

    static long ofClaim(StatementValues values) {
        return of(CLAIM, values);
    }

    /** Positive as well: half a bit of certainty is worth a number that people can read. */
    static long ofOutcome(StatementValues values) {
        return (of(OUTCOME, values) >>> 1) << OUTCOME_SHIFT;
    }

    private static long of(List<Param> params, StatementValues values) {
        CRC32C crc = new CRC32C();
        ByteBuffer head = ByteBuffer.allocate(1 + Long.BYTES);
        for (Param param : params) {
            add(crc, head.clear(), values.get(param));
        }
        return crc.getValue();
    }

    /** With its kind and length in front, so that nothing moves from one to the next. */
    private static void add(CRC32C crc, ByteBuffer head, @Nullable Object value) {
        if (value == null) {
            crc.update(0);
        } else if (value instanceof Long number) {
            crc.update(head.put((byte) 1).putLong(number).flip());
        } else {
            byte[] bytes = value instanceof byte[] raw ? raw : ((String) value).getBytes(StandardCharsets.UTF_8);
            crc.update(head.put((byte) 2).putInt(bytes.length).flip());
            crc.update(bytes);
        }
    }
}

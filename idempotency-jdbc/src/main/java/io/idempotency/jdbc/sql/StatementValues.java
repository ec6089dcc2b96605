package io.idempotency.jdbc.sql;

import io.idempotency.jdbc.sql.Sql.Param;
import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredArguments;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** The values of a statement's parameters; a parameter without a value is NULL. */
public final class StatementValues {

    /** About 30,000 years; a longer retention has no end. */
    private static final long LONGEST_MS = 1_000_000_000_000_000L;

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

    private final Map<Param, Object> values = new EnumMap<>(Param.class);

    public static StatementValues of(RecordId id) {
        return new StatementValues().with(Param.ID, id.value());
    }

    public static StatementValues of(Ownership ownership) {
        return of(ownership.id()).with(Param.OWNER, ownership.owner()).with(Param.FENCE, ownership.fence());
    }

    public static StatementValues of(Claim claim) {
        StatementValues values = of(claim.id())
                .with(Param.OPERATION, claim.operation())
                .with(Param.FINGERPRINT, claim.fingerprint())
                .with(Param.OWNER, claim.owner())
                .with(Param.TAKE_OVER, claim.takeOver() ? 1 : 0)
                .open(claim.lease(), claim.retention());
        StoredArguments arguments = claim.arguments();
        if (arguments != null) { // not in the checksum, because sealed arguments reveal a change themselves
            values.with(Param.RESULT, arguments.bytes()).with(Param.RESULT_SIZE, (long) arguments.bytes().length);
        }
        return values.with(Param.CHECKSUM, values.checksum(CLAIM));
    }

    /** Adds an outcome, its retention and its checksum, always positive so that people can read it. */
    public StatementValues settling(
            @Nullable StoredResult result, @Nullable StoredFailure failure, Duration retention) {
        with(Param.STATE, (failure == null ? RecordState.COMPLETED : RecordState.FAILED).name());
        if (result instanceof StoredResult.Present present) {
            with(Param.RESULT_KIND, RecordRow.PRESENT)
                    .with(Param.RESULT, present.bytes())
                    .with(Param.RESULT_SIZE, (long) present.bytes().length);
        } else if (result instanceof StoredResult.Omitted omitted) {
            with(Param.RESULT_KIND, RecordRow.OMITTED)
                    .with(Param.RESULT_OMITTED, storable(omitted.reason()))
                    .with(Param.RESULT_SIZE, omitted.size());
        }
        if (failure != null) {
            with(Param.FAILURE_TYPE, failure.type())
                    .with(Param.FAILURE_MESSAGE, storable(failure.message()))
                    .with(Param.FAILURE_CODE, storable(failure.code()));
        }
        with(Param.RETENTION_MS, retention);
        return with(Param.CHECKSUM, (checksum(OUTCOME) >>> 1) << OUTCOME_SHIFT);
    }

    /** Adds a note for the audit trail, and how long the trail is kept. */
    public StatementValues with(AuditNote note) {
        return with(Param.AUDIT, storable(note.text()) + '\n').with(Param.AUDIT_MS, note.retention());
    }

    /** Adds a lease, which always ends, a retention, and how long the record outlives the lease. */
    public StatementValues open(Duration lease, Duration retention) {
        with(Param.LEASE_MS, millis(lease)).with(Param.RETENTION_MS, retention);
        return values.get(Param.RETENTION_MS) instanceof Long millis
                ? with(Param.AFTER_LEASE_MS, millis - millis(lease))
                : this;
    }

    /** Adds a duration in milliseconds; adds nothing for one without an end. */
    public StatementValues with(Param param, Duration span) {
        long millis = millis(span);
        return millis < LONGEST_MS ? with(param, millis) : this;
    }

    /** Adds a value; adds nothing for null. */
    public StatementValues with(Param param, @Nullable Object value) {
        if (value != null) {
            values.put(param, value);
        }
        return this;
    }

    public @Nullable Object get(Param param) {
        return values.get(param);
    }

    /** Tells whether the other values are those of the same outcome. */
    public boolean isSame(StatementValues other) {
        return OUTCOME.stream().allMatch(param -> Objects.deepEquals(get(param), other.get(param)));
    }

    /** Returns the size in bytes of the result or the arguments, the only large value; 0 without them. */
    public long bytes() {
        return get(Param.RESULT) instanceof byte[] bytes ? bytes.length : 0;
    }

    private static long millis(Duration span) {
        return span.toSeconds() < LONGEST_MS / 1_000 ? span.toMillis() : LONGEST_MS;
    }

    /** Replaces the characters that PostgreSQL cannot store: NUL and halves of surrogate pairs. */
    public static @Nullable String storable(@Nullable String text) {
        return text == null ? null : text.replaceAll("[\\x00\\x{D800}-\\x{DFFF}]", "\uFFFD");
    }

    /**
     * Computes a row's checksum: the claim's part in the lower 32 bits, the outcome's above. Each statement knows its
     * own part, and the database adds the two. It reveals damage and edits by hand, but an attacker can compute it.
     *
     * @param record source of all parts but the outcome
     */
    public static long checksum(StoredRecord record, @Nullable StoredResult result, @Nullable StoredFailure failure) {
        StatementValues values = of(record.id())
                .with(Param.OPERATION, record.operation())
                .with(Param.FINGERPRINT, record.fingerprint())
                .with(Param.OWNER, record.owner());
        long claim = values.checksum(CLAIM);
        if (result == null && failure == null) {
            return claim;
        }
        Duration retention = record.settledAt() == null || record.expiresAt() == null
                ? IdempotencyStore.FOREVER
                : Duration.between(record.settledAt(), record.expiresAt());
        values.settling(result, failure, retention);
        return claim + (Long) Objects.requireNonNull(values.get(Param.CHECKSUM));
    }

    /** Adds each value after its kind and length, so that a byte cannot move unnoticed from one value to the next. */
    private long checksum(List<Param> params) {
        CRC32C crc = new CRC32C();
        ByteBuffer head = ByteBuffer.allocate(1 + Long.BYTES);
        for (Param param : params) {
            Object value = values.get(param);
            if (value == null) {
                crc.update(0);
            } else if (value instanceof Long number) {
                crc.update(head.clear().put((byte) 1).putLong(number).flip());
            } else {
                byte[] bytes = value instanceof byte[] raw ? raw : ((String) value).getBytes(StandardCharsets.UTF_8);
                crc.update(head.clear().put((byte) 2).putInt(bytes.length).flip());
                crc.update(bytes);
            }
        }
        return crc.getValue();
    }
}

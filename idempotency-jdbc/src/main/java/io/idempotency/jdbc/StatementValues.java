package io.idempotency.jdbc;

import io.idempotency.jdbc.Sql.Param;
import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.StoredArguments;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredResult;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the SPI's values are as parameters. One left out is NULL. */
final class StatementValues {

    /** About 30,000 years: what is kept longer is kept for ever. */
    private static final long LONGEST_MS = 1_000_000_000_000_000L;

    private final Map<Param, Object> values = new EnumMap<>(Param.class);

    static StatementValues of(RecordId id) {
        return new StatementValues().with(Param.ID, id.value());
    }

    static StatementValues of(Ownership ownership) {
        return of(ownership.id()).with(Param.OWNER, ownership.owner()).with(Param.FENCE, ownership.fence());
    }

    static StatementValues of(Claim claim) {
        return of(claim.id())
                .with(Param.OPERATION, claim.operation())
                .with(Param.FINGERPRINT, claim.fingerprint())
                .with(Param.OWNER, claim.owner())
                .with(Param.TAKE_OVER, claim.takeOver() ? 1 : 0)
                .open(claim.lease(), claim.retention())
                .with(claim.arguments())
                .claimChecked();
    }

    /** They are sealed, so no checksum is needed to see whether they were changed. */
    private StatementValues with(@Nullable StoredArguments arguments) {
        return arguments == null
                ? this
                : with(Param.RESULT, arguments.bytes()).with(Param.RESULT_SIZE, (long) arguments.bytes().length);
    }

    private StatementValues claimChecked() {
        return with(Param.CHECKSUM, (Object) Checksum.ofClaim(this));
    }

    /** A result and for how long it is kept. */
    StatementValues settling(StoredResult result, Duration retention) {
        return with(result).with(Param.RETENTION_MS, retention).outcomeChecked();
    }

    /** A failure and for how long it is kept. */
    StatementValues settling(StoredFailure failure, Duration retention) {
        return with(failure).with(Param.RETENTION_MS, retention).outcomeChecked();
    }

    private StatementValues outcomeChecked() {
        return with(Param.CHECKSUM, (Object) Checksum.ofOutcome(this));
    }

    StatementValues with(AuditNote note) {
        return with(Param.AUDIT, storable(note.text()) + '\n').with(Param.AUDIT_MS, note.retention());
    }

    StatementValues with(@Nullable StoredResult result) {
        if (result == null) {
            return this;
        }
        if (result instanceof StoredResult.Present present) {
            return with(Param.RESULT_KIND, RecordRow.PRESENT)
                    .with(Param.RESULT, present.bytes())
                    .with(Param.RESULT_SIZE, (long) present.bytes().length);
        }
        StoredResult.Omitted omitted = (StoredResult.Omitted) result;
        return with(Param.RESULT_KIND, RecordRow.OMITTED)
                .with(Param.RESULT_OMITTED, storable(omitted.reason()))
                .with(Param.RESULT_SIZE, omitted.size());
    }

    StatementValues with(@Nullable StoredFailure failure) {
        return failure == null
                ? this
                : with(Param.FAILURE_TYPE, failure.type())
                        .with(Param.FAILURE_MESSAGE, storable(failure.message()))
                        .with(Param.FAILURE_CODE, storable(failure.code()));
    }

    /** A lease always ends, be it in 30,000 years; and the record, if at all, so much later. */
    StatementValues open(Duration lease, Duration retention) {
        with(Param.LEASE_MS, (Object) millis(lease)).with(Param.RETENTION_MS, retention);
        return values.get(Param.RETENTION_MS) instanceof Long millis
                ? with(Param.AFTER_LEASE_MS, (Object) (millis - millis(lease)))
                : this;
    }

    /** A span as milliseconds; none for ever. */
    StatementValues with(Param param, Duration span) {
        long millis = millis(span);
        return millis < LONGEST_MS ? with(param, (Object) millis) : this;
    }

    StatementValues with(Param param, @Nullable Object value) {
        if (value != null) {
            values.put(param, value);
        }
        return this;
    }

    @Nullable
    Object get(Param param) {
        return values.get(param);
    }

    /** About how much is sent. */
    long bytes() {
        Object result = get(Param.RESULT);
        return result instanceof byte[] bytes ? bytes.length : 0;
    }

    private static long millis(Duration span) {
        return span.toSeconds() < LONGEST_MS / 1_000 ? span.toMillis() : LONGEST_MS;
    }

    /** Texts of unknown origin without what PostgreSQL cannot store: NUL and halves of surrogate pairs. */
    static @Nullable String storable(@Nullable String text) {
        if (text == null) {
            return null;
        }
        StringBuilder clean = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            boolean bad = c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
            clean.appendCodePoint(bad ? 0xFFFD : c);
        });
        return clean.toString();
    }
}

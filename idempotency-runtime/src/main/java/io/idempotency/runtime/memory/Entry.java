package io.idempotency.runtime.memory;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One record as it lies in the map: what a {@link StoredRecord} says, without what depends on the moment of reading. Moments
 * are milliseconds since 1970, because there are many records.
 *
 * @param settledAt or {@link #NOT_YET}
 * @param expiresAt or {@link #NEVER}
 */
record Entry(
        RecordId id,
        String operation,
        String fingerprint,
        String owner,
        long fence,
        int attempt,
        long claimedAt,
        long leaseUntil,
        long settledAt,
        long expiresAt,
        @Nullable StoredResult result,
        @Nullable StoredFailure failure,
        @Nullable String doubt) {

    private static final long NOT_YET = Long.MIN_VALUE;
    private static final long NEVER = Long.MAX_VALUE;

    static Entry claimed(Claim claim, long fence, int attempt, long now) {
        return new Entry(
                claim.id(),
                claim.operation(),
                claim.fingerprint(),
                claim.owner(),
                fence,
                attempt,
                now,
                after(now, claim.lease()),
                NOT_YET,
                expiry(now, claim.retention()),
                null,
                null,
                null);
    }

    Entry completed(StoredResult outcome, Duration retention, long now) {
        return settled(outcome, null, null, retention, now);
    }

    Entry failed(StoredFailure outcome, Duration retention, long now) {
        return settled(null, outcome, null, retention, now);
    }

    Entry doubted(String reason, Duration retention, long now) {
        return settled(null, null, reason, retention, now);
    }

    /** One that was in doubt meanwhile stays marked: others may have been told so. */
    Entry renewed(Duration lease, Duration retention, long now) {
        return new Entry(
                id,
                operation,
                fingerprint,
                owner,
                fence,
                attempt,
                claimedAt,
                after(now, lease),
                NOT_YET,
                expiry(now, retention),
                null,
                null,
                now < leaseUntil ? doubt : IdempotencyStore.RENEWED_LATE);
    }

    Entry fenced(long higher) {
        return new Entry(
                id,
                operation,
                fingerprint,
                owner,
                higher,
                attempt,
                claimedAt,
                leaseUntil,
                settledAt,
                expiresAt,
                result,
                failure,
                doubt);
    }

    private Entry settled(
            @Nullable StoredResult newResult,
            @Nullable StoredFailure newFailure,
            @Nullable String newDoubt,
            Duration retention,
            long now) {
        return new Entry(
                id,
                operation,
                fingerprint,
                owner,
                fence,
                attempt,
                claimedAt,
                leaseUntil,
                now,
                expiry(now, retention),
                newResult,
                newFailure,
                newDoubt);
    }

    boolean expiredAt(long now) {
        return now >= expiresAt;
    }

    RecordState stateAt(long now) {
        if (result != null) {
            return RecordState.COMPLETED;
        }
        if (failure != null) {
            return RecordState.FAILED;
        }
        return !inExplicitDoubt() && now < leaseUntil ? RecordState.IN_PROGRESS : RecordState.IN_DOUBT;
    }

    /** Put in doubt by its owner, rather than by the end of its lease. */
    boolean inExplicitDoubt() {
        return settledAt != NOT_YET && result == null && failure == null;
    }

    /** Whether nobody can have been told that its outcome is unknown. */
    boolean neverInDoubt(long now) {
        return stateAt(now) == RecordState.IN_PROGRESS && doubt == null;
    }

    StoredRecord seenAt(long now) {
        return new StoredRecord(
                id,
                operation,
                fingerprint,
                stateAt(now),
                owner,
                fence,
                attempt,
                Instant.ofEpochMilli(claimedAt),
                Instant.ofEpochMilli(leaseUntil),
                settledAt == NOT_YET ? null : Instant.ofEpochMilli(settledAt),
                expiresAt == NEVER ? null : Instant.ofEpochMilli(expiresAt),
                Instant.ofEpochMilli(now),
                result,
                failure,
                doubt);
    }

    private static long after(long now, Duration span) {
        return Math.addExact(now, span.toMillis());
    }

    private static long expiry(long now, Duration retention) {
        return retention.equals(IdempotencyStore.FOREVER) ? NEVER : after(now, retention);
    }
}

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

/** One record as it lies in the map: what a {@link StoredRecord} says, without what depends on the moment of reading. */
record Entry(
        RecordId id,
        String operation,
        String fingerprint,
        String owner,
        long fence,
        int attempt,
        Instant claimedAt,
        Instant leaseUntil,
        @Nullable Instant settledAt,
        @Nullable Instant expiresAt,
        @Nullable StoredResult result,
        @Nullable StoredFailure failure,
        @Nullable String doubt) {

    static Entry claimed(Claim claim, long fence, int attempt, Instant now) {
        return new Entry(
                claim.id(),
                claim.operation(),
                claim.fingerprint(),
                claim.owner(),
                fence,
                attempt,
                now,
                after(now, claim.lease()),
                null,
                expiry(now, claim.retention()),
                null,
                null,
                null);
    }

    Entry completed(StoredResult outcome, Duration retention, Instant now) {
        return settled(outcome, null, null, retention, now);
    }

    Entry failed(StoredFailure outcome, Duration retention, Instant now) {
        return settled(null, outcome, null, retention, now);
    }

    Entry doubted(String reason, Duration retention, Instant now) {
        return settled(null, null, reason, retention, now);
    }

    Entry renewed(Duration lease, Duration retention, Instant now) {
        return new Entry(
                id,
                operation,
                fingerprint,
                owner,
                fence,
                attempt,
                claimedAt,
                after(now, lease),
                null,
                expiry(now, retention),
                null,
                null,
                null);
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
            Instant now) {
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

    boolean expiredAt(Instant now) {
        return expiresAt != null && !now.isBefore(expiresAt);
    }

    RecordState stateAt(Instant now) {
        if (result != null) {
            return RecordState.COMPLETED;
        }
        if (failure != null) {
            return RecordState.FAILED;
        }
        return doubt == null && now.isBefore(leaseUntil) ? RecordState.IN_PROGRESS : RecordState.IN_DOUBT;
    }

    StoredRecord seenAt(Instant now) {
        return new StoredRecord(
                id,
                operation,
                fingerprint,
                stateAt(now),
                owner,
                fence,
                attempt,
                claimedAt,
                leaseUntil,
                settledAt,
                expiresAt,
                now,
                result,
                failure,
                doubt);
    }

    private static Instant after(Instant now, Duration span) {
        return now.plusMillis(span.toMillis());
    }

    private static @Nullable Instant expiry(Instant now, Duration retention) {
        return retention.equals(IdempotencyStore.FOREVER) ? null : after(now, retention);
    }
}

package io.idempotency.runtime.store;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One record as a store keeps it: the components of a {@link StoredRecord} that do not depend on the moment of reading,
 * by the same names. All times are milliseconds since 1970 by the store's clock. Immutable.
 *
 * @param settledAt when it was settled or put in doubt, or {@link #NOT_YET}
 * @param expiresAt when it is forgotten, or {@link #NEVER}
 */
public record RecordEntry(
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
        @Nullable String doubt,
        @Nullable StoredArguments arguments) {

    /** The {@link #settledAt} of a record that is not settled. */
    public static final long NOT_YET = Long.MIN_VALUE;
    /** The {@link #expiresAt} of a record that is kept for ever. */
    public static final long NEVER = Long.MAX_VALUE;

    static RecordEntry claimed(Claim claim, long fence, int attempt, long now) {
        return new RecordEntry(
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
                null,
                claim.arguments());
    }

    /** Returns this record settled or put in doubt. The arguments go as soon as there is an outcome. */
    RecordEntry settled(
            long newFence,
            @Nullable StoredResult newResult,
            @Nullable StoredFailure newFailure,
            @Nullable String newDoubt,
            Duration retention,
            long now) {
        return with(
                newFence,
                leaseUntil,
                now,
                expiry(now, retention),
                newResult,
                newFailure,
                newDoubt,
                newDoubt == null ? null : arguments);
    }

    /** Returns this record with a new lease. One that was in doubt stays marked: duplicates may have been told so. */
    RecordEntry renewed(Duration lease, Duration retention, long now) {
        return with(
                fence,
                after(now, lease),
                NOT_YET,
                expiry(now, retention),
                null,
                null,
                now < leaseUntil ? doubt : IdempotencyStore.RENEWED_LATE,
                arguments);
    }

    /** Returns this record without the call's data; the fact that the call was made and ended stays. */
    RecordEntry erased() {
        return with(
                fence,
                leaseUntil,
                settledAt,
                expiresAt,
                result == null ? null : StoredResult.ERASED,
                failure == null ? null : failure.erased(),
                inExplicitDoubt() ? IdempotencyStore.ERASED : doubt,
                null);
    }

    private RecordEntry with(
            long newFence,
            long newLeaseUntil,
            long newSettledAt,
            long newExpiresAt,
            @Nullable StoredResult newResult,
            @Nullable StoredFailure newFailure,
            @Nullable String newDoubt,
            @Nullable StoredArguments newArguments) {
        return new RecordEntry(
                id,
                operation,
                fingerprint,
                owner,
                newFence,
                attempt,
                claimedAt,
                newLeaseUntil,
                newSettledAt,
                newExpiresAt,
                newResult,
                newFailure,
                newDoubt,
                newArguments);
    }

    /** Tells whether the record has expired by now, and so is absent. */
    public boolean expiredAt(long now) {
        return now >= expiresAt;
    }

    /** Returns the state at a moment: in doubt as soon as the lease is over. */
    public RecordState stateAt(long now) {
        if (result != null) {
            return RecordState.COMPLETED;
        }
        if (failure != null) {
            return RecordState.FAILED;
        }
        return !inExplicitDoubt() && now < leaseUntil ? RecordState.IN_PROGRESS : RecordState.IN_DOUBT;
    }

    boolean heldBy(Ownership ownership) {
        return fence == ownership.fence() && owner.equals(ownership.owner());
    }

    /** Tells whether the owner put the record in doubt, rather than the end of its lease. */
    boolean inExplicitDoubt() {
        return settledAt != NOT_YET && result == null && failure == null;
    }

    /** Tells whether no caller can have been told that the outcome is unknown. */
    boolean neverInDoubt(long now) {
        return stateAt(now) == RecordState.IN_PROGRESS && doubt == null;
    }

    /** Returns the record as callers see it at a moment. */
    public StoredRecord seenAt(long now) {
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
                doubt,
                arguments);
    }

    private static long after(long now, Duration span) {
        return Math.addExact(now, span.toMillis());
    }

    static long expiry(long now, Duration retention) {
        return retention.equals(IdempotencyStore.FOREVER) ? NEVER : after(now, retention);
    }
}

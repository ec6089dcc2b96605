package io.idempotency.runtime.store;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One record as the store returned it. All instants are by the store's clock, to the millisecond.
 *
 * @param state the state at {@code readAt}: a claim whose lease is over is already {@link RecordState#IN_DOUBT}
 * @param owner the token of the call that claimed the key last
 * @param attempt how often the body may have been started, from 1
 * @param settledAt when the record was completed, failed or put in doubt explicitly; null before
 * @param expiresAt when the record expires; null for never
 * @param readAt the store's clock when the record was read
 * @param result the result; null unless {@link RecordState#COMPLETED}
 * @param failure the failure; null unless {@link RecordState#FAILED}
 * @param doubt why the outcome is unknown, by the owner or a reconciler, or {@link IdempotencyStore#LEASE_OVER}; while
 *     {@link RecordState#IN_PROGRESS}, that the record was in doubt before
 * @param arguments the claim's arguments, while {@link RecordState#IN_PROGRESS} or {@link RecordState#IN_DOUBT}; null
 *     without any
 */
public record StoredRecord(
        RecordId id,
        String operation,
        String fingerprint,
        RecordState state,
        String owner,
        long fence,
        int attempt,
        Instant claimedAt,
        Instant leaseUntil,
        @Nullable Instant settledAt,
        @Nullable Instant expiresAt,
        Instant readAt,
        @Nullable StoredResult result,
        @Nullable StoredFailure failure,
        @Nullable String doubt,
        @Nullable StoredArguments arguments) {

    /** Refuses a settled record without its outcome: it was tampered with, and must not be replayed as null. */
    public StoredRecord {
        if ((state == RecordState.COMPLETED) != (result != null)) {
            throw new UnreadableRecordException(id, "state " + state + " with result " + result);
        }
        if ((state == RecordState.FAILED) != (failure != null)) {
            throw new UnreadableRecordException(id, "state " + state + " with failure " + failure);
        }
    }

    /** Tells whether the record is in doubt because its lease is over, rather than because its owner said so. */
    public boolean abandoned() {
        return state == RecordState.IN_DOUBT && settledAt == null;
    }

    /** Tells whether the call is over and its outcome known. */
    public boolean hasOutcome() {
        return result != null || failure != null;
    }

    /** Returns how long the lease stands from the moment of reading; never negative. */
    public Duration remainingLease() {
        Duration remaining = Duration.between(readAt, leaseUntil);
        return remaining.isNegative() ? Duration.ZERO : remaining;
    }

    /** Tells whether the given owner holds this record with the given fence. */
    public boolean heldBy(Ownership ownership) {
        return owner.equals(ownership.owner()) && fence == ownership.fence();
    }
}

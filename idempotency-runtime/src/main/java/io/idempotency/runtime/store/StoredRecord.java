package io.idempotency.runtime.store;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One record as the store returned it. All instants are the store's clock, to the millisecond.
 *
 * @param state the state at {@code readAt}: a claim whose lease is over is already {@link RecordState#IN_DOUBT}
 * @param owner the token of the call that claimed it last
 * @param fence the fence of that claim
 * @param attempt how often the body may have been started, from 1
 * @param claimedAt when it was claimed last
 * @param leaseUntil when the lease ends or ended
 * @param settledAt when it was completed, failed or put in doubt explicitly; null before
 * @param expiresAt when it is forgotten; null for never
 * @param readAt the store's clock when it was read
 * @param result the result, with {@link RecordState#COMPLETED} only
 * @param failure the failure, with {@link RecordState#FAILED} only
 * @param doubt why the outcome is unknown, when the owner or a reconciler said so, or {@link IdempotencyStore#LEASE_OVER};
 *     with {@link RecordState#IN_PROGRESS}, that it was once
 * @param arguments those of the claim, with {@link RecordState#IN_PROGRESS} and {@link RecordState#IN_DOUBT} only; null
 *     where its claim gave none
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

    /**
     * Whether it is in doubt because its lease is over, rather than because its owner said so.
     *
     * @return false also while it is in progress
     */
    public boolean abandoned() {
        return state == RecordState.IN_DOUBT && settledAt == null;
    }

    /** Whether the call is over and its outcome known. */
    public boolean hasOutcome() {
        return result != null || failure != null;
    }

    /**
     * How long the lease stands from the moment of reading.
     *
     * @return never negative
     */
    public Duration remainingLease() {
        Duration remaining = Duration.between(readAt, leaseUntil);
        return remaining.isNegative() ? Duration.ZERO : remaining;
    }

    /** Whether this record is held by the given owner and fence. */
    public boolean heldBy(Ownership ownership) {
        return owner.equals(ownership.owner()) && fence == ownership.fence();
    }
}

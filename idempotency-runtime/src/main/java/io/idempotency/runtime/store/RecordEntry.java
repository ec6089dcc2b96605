package io.idempotency.runtime.store;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One record as a store keeps it: what a {@link StoredRecord} says, without what depends on the moment of reading. All
 * moments are milliseconds since 1970 by the store's clock. Immutable.
 *
 * @param id the record
 * @param operation the operation's name
 * @param fingerprint the arguments' fingerprint
 * @param owner the token of the call that claimed it last
 * @param fence the fence of that claim
 * @param attempt how often the body may have been started, from 1
 * @param claimedAt when it was claimed last
 * @param leaseUntil when the lease ends or ended
 * @param settledAt when it was settled or put in doubt, or {@link #NOT_YET}
 * @param expiresAt when it is forgotten, or {@link #NEVER}
 * @param result the result, once completed
 * @param failure the failure, once failed
 * @param doubt why the outcome is unknown, or that it was unknown once
 * @param arguments those of the claim, until it is settled
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

    /** What {@link #settledAt} says while nothing settled the record. */
    public static final long NOT_YET = Long.MIN_VALUE;
    /** What {@link #expiresAt} says of a record that is kept for ever. */
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

    RecordEntry completed(StoredResult outcome, Duration retention, long now) {
        return settled(outcome, null, null, retention, now);
    }

    RecordEntry failed(StoredFailure outcome, Duration retention, long now) {
        return settled(null, outcome, null, retention, now);
    }

    RecordEntry doubted(String reason, Duration retention, long now) {
        return settled(null, null, reason, retention, now);
    }

    /** One that was in doubt meanwhile stays marked: others may have been told so. */
    RecordEntry renewed(Duration lease, Duration retention, long now) {
        return new RecordEntry(
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
                now < leaseUntil ? doubt : IdempotencyStore.RENEWED_LATE,
                arguments);
    }

    RecordEntry fenced(long higher) {
        return new RecordEntry(
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
                doubt,
                arguments);
    }

    /** The fact that it was called and ended stays; what it said does not. */
    RecordEntry erased() {
        return new RecordEntry(
                id,
                operation,
                fingerprint,
                owner,
                fence,
                attempt,
                claimedAt,
                leaseUntil,
                settledAt,
                expiresAt,
                result == null ? null : StoredResult.ERASED,
                failure == null ? null : failure.erased(),
                inExplicitDoubt() ? IdempotencyStore.ERASED : doubt,
                null);
    }

    /** What was kept to find out about an outcome goes when there is one. */
    private RecordEntry settled(
            @Nullable StoredResult newResult,
            @Nullable StoredFailure newFailure,
            @Nullable String newDoubt,
            Duration retention,
            long now) {
        return new RecordEntry(
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
                newDoubt,
                newDoubt == null ? null : arguments);
    }

    /**
     * Whether the record is absent by now.
     *
     * @param now the store's clock
     * @return true from the moment of expiry on
     */
    public boolean expiredAt(long now) {
        return now >= expiresAt;
    }

    /**
     * The state at a moment.
     *
     * @param now the store's clock
     * @return in doubt as soon as the lease is over
     */
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

    /** Put in doubt by its owner, rather than by the end of its lease. */
    boolean inExplicitDoubt() {
        return settledAt != NOT_YET && result == null && failure == null;
    }

    /** Whether no caller can have been told that its outcome is unknown. */
    boolean neverInDoubt(long now) {
        return stateAt(now) == RecordState.IN_PROGRESS && doubt == null;
    }

    /**
     * The record as callers see it.
     *
     * @param now the store's clock
     * @return what is in here, read at that moment
     */
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

    private static long expiry(long now, Duration retention) {
        return retention.equals(IdempotencyStore.FOREVER) ? NEVER : after(now, retention);
    }
}

package io.idempotency.runtime.store;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What each verb of {@link IdempotencyStore} makes of a record, as pure functions: for stores that can replace a record
 * atomically by one computed from it, under a lock or by compare-and-set. Stores with a language of their own, SQL or
 * Lua, state the same rules there. {@code entry} is null for an absent record, which an expired one is as well; every
 * {@code now} is the store's clock in milliseconds since 1970, read inside the atomic step.
 */
public final class RecordTransitions {

    private RecordTransitions() {}

    /**
     * The end of a step.
     *
     * @param next what the store keeps from now on, null for nothing
     * @param answer what the verb answers
     * @param <T> the answer's type
     */
    public record Step<T>(@Nullable RecordEntry next, T answer) {}

    /**
     * See {@link IdempotencyStore#claim}.
     *
     * @param entry what there is
     * @param claim what is asked
     * @param nextFence a fence above all that this key ever had; asked only where the claim is granted
     * @param now the store's clock
     * @return what to keep and to answer
     */
    public static Step<ClaimResult> claim(@Nullable RecordEntry entry, Claim claim, LongSupplier nextFence, long now) {
        if (entry == null) {
            return granted(RecordEntry.claimed(claim, nextFence.getAsLong(), 1, now));
        }
        boolean takenOver = claim.takeOver()
                && entry.stateAt(now) == RecordState.IN_DOUBT
                && entry.operation().equals(claim.operation())
                && entry.fingerprint().equals(claim.fingerprint())
                && !entry.owner().equals(claim.owner());
        return takenOver
                ? granted(RecordEntry.claimed(claim, nextFence.getAsLong(), entry.attempt() + 1, now))
                : new Step<>(entry, ClaimResult.of(claim, entry.seenAt(now)));
    }

    /** It is the claim's own record, so there is nothing to compare. */
    private static Step<ClaimResult> granted(RecordEntry claimed) {
        return new Step<>(claimed, new ClaimResult.Acquired(claimed.fence(), claimed.attempt()));
    }

    /**
     * See {@link IdempotencyStore#complete}.
     *
     * @param entry what there is
     * @param ownership who asks
     * @param result the result
     * @param retention how long from now
     * @param now the store's clock
     * @return what to keep and to answer
     */
    public static Step<Settled> complete(
            @Nullable RecordEntry entry, Ownership ownership, StoredResult result, Duration retention, long now) {
        if (entry == null || !entry.heldBy(ownership)) {
            return stale(entry, now);
        }
        boolean repeated = result.equals(entry.result());
        return repeated ? applied(entry) : ifOpen(entry, now, entry.completed(result, retention, now));
    }

    /**
     * See {@link IdempotencyStore#fail}.
     *
     * @param entry what there is
     * @param ownership who asks
     * @param failure what is known of the exception
     * @param retention how long from now
     * @param now the store's clock
     * @return what to keep and to answer
     */
    public static Step<Settled> fail(
            @Nullable RecordEntry entry, Ownership ownership, StoredFailure failure, Duration retention, long now) {
        if (entry == null || !entry.heldBy(ownership)) {
            return stale(entry, now);
        }
        boolean repeated = failure.equals(entry.failure());
        return repeated ? applied(entry) : ifOpen(entry, now, entry.failed(failure, retention, now));
    }

    /**
     * See {@link IdempotencyStore#release}.
     *
     * @param entry what there is
     * @param ownership who asks
     * @param now the store's clock
     * @return what to keep and to answer
     */
    public static Step<Settled> release(@Nullable RecordEntry entry, Ownership ownership, long now) {
        if (entry == null) {
            return applied(null);
        }
        return entry.heldBy(ownership) && entry.neverInDoubt(now) ? applied(null) : stale(entry, now);
    }

    /**
     * See {@link IdempotencyStore#doubt}.
     *
     * @param entry what there is
     * @param ownership who asks
     * @param reason for people
     * @param retention how long from now
     * @param now the store's clock
     * @return what to keep and to answer
     */
    public static Step<Settled> doubt(
            @Nullable RecordEntry entry, Ownership ownership, String reason, Duration retention, long now) {
        if (entry == null || !entry.heldBy(ownership)) {
            return stale(entry, now);
        }
        return entry.inExplicitDoubt() ? applied(entry) : ifOpen(entry, now, entry.doubted(reason, retention, now));
    }

    /**
     * See {@link IdempotencyStore#renew}.
     *
     * @param entry what there is
     * @param ownership who asks
     * @param lease how long from now
     * @param retention how long from now
     * @param now the store's clock
     * @return what to keep and to answer
     */
    public static Step<Settled> renew(
            @Nullable RecordEntry entry, Ownership ownership, Duration lease, Duration retention, long now) {
        return entry == null || !entry.heldBy(ownership) || entry.inExplicitDoubt()
                ? stale(entry, now)
                : ifOpen(entry, now, entry.renewed(lease, retention, now));
    }

    /**
     * See {@link IdempotencyStore#resolve}. The note belongs into the audit trail in the same step where the answer is
     * {@link Settled.Applied}.
     *
     * @param entry what there is
     * @param fence the fence that the operator saw
     * @param resolution the decision
     * @param nextFence a fence above all that this key ever had; asked only where the record is kept
     * @param now the store's clock
     * @return what to keep and to answer
     */
    public static Step<Settled> resolve(
            @Nullable RecordEntry entry, long fence, Resolution resolution, LongSupplier nextFence, long now) {
        if (entry == null || entry.fence() != fence || entry.stateAt(now) != RecordState.IN_DOUBT) {
            return stale(entry, now);
        }
        if (resolution instanceof Resolution.Complete done) {
            return applied(entry.fenced(nextFence.getAsLong()).completed(done.result(), done.retention(), now));
        }
        if (resolution instanceof Resolution.Fail failed) {
            return applied(entry.fenced(nextFence.getAsLong()).failed(failed.failure(), failed.retention(), now));
        }
        return applied(null);
    }

    /**
     * See {@link IdempotencyStore#erase}. The note belongs into the audit trail in the same step where the answer is
     * {@link Settled.Applied}.
     *
     * @param entry what there is
     * @param now the store's clock
     * @return what to keep and to answer
     */
    public static Step<Settled> erase(@Nullable RecordEntry entry, long now) {
        return entry == null || entry.stateAt(now) == RecordState.IN_PROGRESS
                ? stale(entry, now)
                : applied(entry.erased());
    }

    private static Step<Settled> ifOpen(RecordEntry entry, long now, RecordEntry next) {
        return entry.result() == null && entry.failure() == null ? applied(next) : stale(entry, now);
    }

    private static Step<Settled> applied(@Nullable RecordEntry next) {
        return new Step<>(next, new Settled.Applied());
    }

    private static Step<Settled> stale(@Nullable RecordEntry entry, long now) {
        return new Step<>(entry, new Settled.Stale(entry == null ? null : entry.seenAt(now)));
    }
}

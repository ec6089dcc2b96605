package io.idempotency.runtime.store;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The steps of {@link IdempotencyStore} as pure functions on a record, for stores that can replace a record atomically,
 * under a lock or by compare-and-set. Stores in SQL or Lua state the same rules in that language. {@code entry} is null
 * for an absent or expired record; {@code now} is the store's clock in milliseconds since 1970, read inside the step.
 */
public final class RecordTransitions {

    private RecordTransitions() {}

    /**
     * The result of a step.
     *
     * @param next the record that the store keeps from now on, null for none
     * @param answer the answer of the store's method
     */
    public record Step<T>(@Nullable RecordEntry next, T answer) {}

    /**
     * See {@link IdempotencyStore#claim}.
     *
     * @param nextFence returns a fence above all former fences of the key; called only if the claim is granted
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

    /** Answers without {@link ClaimResult#of}: the record is the claim's own, so there is nothing to compare. */
    private static Step<ClaimResult> granted(RecordEntry claimed) {
        return new Step<>(claimed, new ClaimResult.Acquired(claimed.fence(), claimed.attempt()));
    }

    /** See {@link IdempotencyStore#complete}. */
    public static Step<Settled> complete(
            @Nullable RecordEntry entry, Ownership ownership, StoredResult result, Duration retention, long now) {
        return own(
                entry,
                ownership,
                now,
                held -> result.equals(held.result())
                        ? held
                        : held.settled(held.fence(), result, null, null, retention, now));
    }

    /** See {@link IdempotencyStore#fail}. */
    public static Step<Settled> fail(
            @Nullable RecordEntry entry, Ownership ownership, StoredFailure failure, Duration retention, long now) {
        return own(
                entry,
                ownership,
                now,
                held -> failure.equals(held.failure())
                        ? held
                        : held.settled(held.fence(), null, failure, null, retention, now));
    }

    /** See {@link IdempotencyStore#release}. */
    public static Step<Settled> release(@Nullable RecordEntry entry, Ownership ownership, long now) {
        if (entry == null) {
            return applied(null);
        }
        return entry.heldBy(ownership) && entry.neverInDoubt(now) ? applied(null) : stale(entry, now);
    }

    /** See {@link IdempotencyStore#doubt}. */
    public static Step<Settled> doubt(
            @Nullable RecordEntry entry, Ownership ownership, String reason, Duration retention, long now) {
        return own(
                entry,
                ownership,
                now,
                held -> held.inExplicitDoubt() ? held : held.settled(held.fence(), null, null, reason, retention, now));
    }

    /** See {@link IdempotencyStore#renew}. */
    public static Step<Settled> renew(
            @Nullable RecordEntry entry, Ownership ownership, Duration lease, Duration retention, long now) {
        return entry != null && entry.inExplicitDoubt()
                ? stale(entry, now)
                : own(entry, ownership, now, held -> held.renewed(lease, retention, now));
    }

    /** Applies an owner's step to an open record. A step that changes nothing repeats one that was applied. */
    private static Step<Settled> own(
            @Nullable RecordEntry entry, Ownership ownership, long now, UnaryOperator<RecordEntry> step) {
        if (entry == null || !entry.heldBy(ownership)) {
            return stale(entry, now);
        }
        RecordEntry next = step.apply(entry);
        boolean open = entry.result() == null && entry.failure() == null;
        return open || next == entry ? applied(next) : stale(entry, now);
    }

    /**
     * See {@link IdempotencyStore#resolve}. If the answer is {@link Settled.Applied}, the store adds the note to the
     * audit trail in the same step. {@code nextFence} is called only if the record stays.
     */
    public static Step<Settled> resolve(
            @Nullable RecordEntry entry, long fence, Resolution resolution, LongSupplier nextFence, long now) {
        if (entry == null || entry.fence() != fence || entry.stateAt(now) != RecordState.IN_DOUBT) {
            return stale(entry, now);
        }
        if (resolution instanceof Resolution.Complete done) {
            return applied(entry.settled(nextFence.getAsLong(), done.result(), null, null, done.retention(), now));
        }
        if (resolution instanceof Resolution.Fail failed) {
            return applied(entry.settled(nextFence.getAsLong(), null, failed.failure(), null, failed.retention(), now));
        }
        return applied(null);
    }

    /** See {@link IdempotencyStore#erase}; the note is added as by {@link #resolve}. */
    public static Step<Settled> erase(@Nullable RecordEntry entry, long now) {
        return entry == null || entry.stateAt(now) == RecordState.IN_PROGRESS
                ? stale(entry, now)
                : applied(entry.erased());
    }

    private static Step<Settled> applied(@Nullable RecordEntry next) {
        return new Step<>(next, new Settled.Applied());
    }

    private static Step<Settled> stale(@Nullable RecordEntry entry, long now) {
        return new Step<>(entry, new Settled.Stale(entry == null ? null : entry.seenAt(now)));
    }
}

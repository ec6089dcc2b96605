package io.idempotency.runtime.store;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Remembers which keys were claimed and what became of them.
 *
 * <pre>
 * ABSENT --claim--&gt; IN_PROGRESS --complete--&gt; COMPLETED --retention over--&gt; ABSENT
 *                   IN_PROGRESS --fail-----&gt; FAILED    --retention over--&gt; ABSENT
 *                   IN_PROGRESS --release--&gt; ABSENT
 *                   IN_PROGRESS --lease over, or doubt--&gt; IN_DOUBT
 *                   IN_DOUBT --the same owner renews--&gt; IN_PROGRESS, not to be released any more
 *                   IN_DOUBT --the same owner completes or fails--&gt; as above
 *                   IN_DOUBT --claim with takeOver--&gt; IN_PROGRESS, fence and attempt raised
 *                   IN_DOUBT --resolve--&gt; COMPLETED, FAILED or ABSENT
 * </pre>
 *
 * <p>The duties of an implementation, each of them checked by {@code IdempotencyStoreTck}:
 *
 * <ol>
 *   <li>Every method is one atomic step in the store: one statement or one script. Never read, then write.
 *   <li>The store's clock decides about leases and expiry, to the millisecond; never the JVM's.
 *   <li>An expired record is absent, whether or not it was removed yet.
 *   <li>A claim leaves a record of another operation or fingerprint untouched, whatever its state.
 *   <li>A claim repeated with the same owner token answers as the first one did: drivers resend.
 *   <li>The fence of a key rises with every grant, across release, expiry, purge and take-over, whichever caller waited for another.
 *       While the record is there, released and expired ones included, it is the greater of its predecessor + 1 and the
 *       store's clock in microseconds; after that, the clock. So a store that goes by a clock keeps what is released or
 *       expired until its clock is {@link #FENCE_MEMORY} past the fence: a clock that was read before a statement
 *       waited, or that was set back, is then not behind it.
 *   <li>{@code complete}, {@code fail}, {@code release}, {@code doubt} and {@code renew} compare owner and fence, and
 *       change nothing when they differ. The lease is compared by {@code release} only: what has ever been in doubt is
 *       not released by its owner, because duplicates may have been told that the outcome is unknown and that the body is
 *       not run again. A store whose clock can be set back keeps that it answered so: from then on
 *       {@link StoredRecord#doubt()} says {@link #LEASE_OVER}. Repeating one that was applied answers
 *       {@link Settled.Applied}. A settled record changes no more, whatever owner asks.
 *   <li>Operation and fingerprint are kept for as long as the record is; a claim's arguments until the record is settled,
 *       released or resolved, and not a moment longer.
 *   <li>A record that cannot be understood is answered with {@link UnreadableRecordException} and is left alone.
 * </ol>
 *
 * <p>Implementations are thread-safe. Every method blocks its caller until the store has answered, and bounds that time by the
 * time-outs of its driver: no caller can end a call from outside. A method that got no answer throws any
 * {@link RuntimeException}; its caller then assumes that it may or may not have been applied. Every lease and retention
 * counts from the step that is asked for.
 */
public interface IdempotencyStore {

    /** A retention without an end. A store that cannot keep a record for ever says so at start-up. */
    Duration FOREVER = ChronoUnit.FOREVER.getDuration();

    /** For how long a store remembers the fence of a key whose record is released or expired. */
    Duration FENCE_MEMORY = Duration.ofMinutes(1);

    /** What {@link StoredRecord#doubt()} says of a claim that was read after its lease was over. */
    String LEASE_OVER = "its lease was over when it was read";

    /** What {@link StoredRecord#doubt()} says of a claim that was renewed after its lease was over. */
    String RENEWED_LATE = "its lease was over before it was renewed";

    /** What {@link StoredRecord#doubt()} says of a claim in doubt whose reason was erased. */
    String ERASED = "its reason was erased";

    /**
     * The name by which {@code idempotency.store} and {@code @IdempotentOperation(store)} choose this store.
     *
     * @return lower-case, for instance {@code jdbc}
     */
    String name();

    /**
     * The transactions that records can share with the writes of a body. A store in front of another one decides for
     * itself: it hands on what it can keep its own promise for.
     *
     * @return empty where a record is always committed by itself
     */
    Optional<TransactionalStore> transactional();

    /**
     * How waiting callers, also those of other JVMs, hear that a record was settled. A store in front of another one
     * decides for itself.
     *
     * @return empty where they have to look again and again
     */
    Optional<SettlementSignals> signals();

    /**
     * Whether every method answers from this JVM's memory, without waiting for anything, so that a server may ask the
     * store on an event loop. A store in front of another one decides for itself.
     */
    default boolean answersAtOnce() {
        return false;
    }

    /** Claims a key, or finds out who did. */
    ClaimResult claim(Claim claim);

    /**
     * Records the result of a body that returned. A result that the store can never hold is refused with
     * {@link ResultRejectedException}; any other failure is tried again for a day.
     */
    Settled complete(Ownership ownership, StoredResult result, Duration retention);

    /** Records that the body threw, and that this is its outcome. */
    Settled fail(Ownership ownership, StoredFailure failure, Duration retention);

    /**
     * Gives the claim back, because the body had no effect. The record is absent afterwards. One that is in doubt, or was
     * before its owner renewed it, stays: duplicates may have been told that its body is not run again.
     *
     * @return applied, or stale, also with a record that is still the caller's; absent counts as applied
     */
    Settled release(Ownership ownership);

    /**
     * Records that the owner cannot tell what became of the body. The record is in doubt at once.
     *
     * @param reason for people, at most 500 characters
     * @param retention how long the record is kept from now unless it is settled
     */
    Settled doubt(Ownership ownership, String reason, Duration retention);

    /**
     * Extends the leases of claims that are in progress, or whose lease is over and that no other call took over. That a
     * lease was over is remembered: {@link StoredRecord#doubt()} says {@link #RENEWED_LATE} from then on. Each claim is
     * one atomic step; the claims of one call need not be.
     *
     * @return the answer for each of them, in their order; a claim put in doubt explicitly is stale
     */
    List<Settled> renew(List<Renewal> renewals);

    /** Reads a record without changing it, but for {@link #LEASE_OVER}. */
    Optional<StoredRecord> find(RecordId id);

    /** Lists records by state, the longest claimed first. For operators; it need not be fast. */
    default List<StoredRecord> list(RecordState state, Duration olderThan, int limit) {
        return list(new RecordQuery(state, null, olderThan, null, limit));
    }

    /**
     * Lists a page of records in the order of {@link RecordQuery.Position}: the longest claimed first, and of one
     * millisecond by their ids. A record that is claimed again meanwhile may be missed or seen twice.
     */
    List<StoredRecord> list(RecordQuery query);

    /**
     * Settles a record in doubt by an operator's word, and raises its fence so that its owner is stale from then on. The
     * note is added to the record's audit trail in the same step.
     *
     * @param fence the fence that the operator saw
     * @return applied; stale when the record is not in doubt or its fence is another: then the note is not kept
     */
    Settled resolve(RecordId id, long fence, Resolution resolution, AuditNote note);

    /**
     * Erases what a record holds of the call's data: its outcome and the arguments kept with it. Key, operation, fingerprint,
     * state, owner, fence and moments stay, so that the body is not run again. A completed record then has
     * {@link StoredResult#ERASED}, a failed one {@link StoredFailure#erased()}, and one that its owner put in doubt says
     * {@link #ERASED}. The note is added to the record's audit trail in the same step. Repeating it is harmless.
     *
     * @return applied; stale, and no note kept, when the record is absent, or in progress with a lease that stands
     */
    Settled erase(RecordId id, AuditNote note);

    /**
     * The audit trail of a record: the notes of {@link #resolve} and {@link #erase}. It is kept for as long as the last
     * note says, whatever becomes of the record: while the record is absent, and when its key is claimed again.
     *
     * @return the notes' texts, the oldest first; empty without any
     */
    List<String> audit(RecordId id);

    /**
     * How the store is, for a health check: whether it answers, and what it knows of the durability of its records.
     *
     * @throws RuntimeException when the store cannot be reached
     */
    default StoreHealth health() {
        find(RecordId.of("idempotency-health", null, null, ""));
        return new StoreHealth(true, Map.of());
    }

    /**
     * About how many records there are, expired ones that were not removed yet included: for a gauge that shows growth. It
     * is asked again and again, so a store answers from its statistics rather than by counting.
     *
     * @return empty where it cannot be told cheaply
     */
    default OptionalLong approximateSize() {
        return OptionalLong.empty();
    }

    /**
     * Removes expired records, at most so many. Safe on every node at once.
     *
     * @return how many were removed; 0 where the store forgets by itself
     */
    int purge(int limit);

    /**
     * Thrown by {@link #claim} for a key that the store does not know and has no room for. Nothing was claimed. What the store
     * knows is found, and what finishes work is taken all the same.
     */
    final class StoreFullException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        /**
         * Describes the limit.
         *
         * @param problem which limit it is, and how to raise it, for operators
         * @param cause what the store's server said, if anything
         */
        public StoreFullException(String problem, @Nullable Throwable cause) {
            super(problem, cause);
        }
    }
}

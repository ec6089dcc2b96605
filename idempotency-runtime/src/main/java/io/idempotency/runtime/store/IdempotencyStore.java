package io.idempotency.runtime.store;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Remembers which keys were claimed, and the outcomes of their calls.
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
 * <p>The duties of an implementation. {@code IdempotencyStoreTck} checks what one node can see of them:
 *
 * <ol>
 *   <li>Every method is one atomic step in the store: one statement or one script. Never read, then write.
 *   <li>The store's clock decides about leases and expiry, to the millisecond; never the JVM's.
 *   <li>An expired record is absent, whether or not it was removed yet.
 *   <li>A claim leaves a record of another operation or fingerprint untouched, whatever its state.
 *   <li>A claim repeated with the same owner token answers as the first one did, because drivers resend.
 *   <li>The fence of a key rises with every grant, across release, expiry, purge and take-over, whichever caller waited
 *       for another. While the record is there, released and expired ones included, the next fence is the greater of
 *       the former one + 1 and the store's clock in microseconds; after that, the clock. So a store whose fences follow
 *       a clock keeps a released or expired record until its clock is {@link #FENCE_MEMORY} past the fence: a clock
 *       that was read before a statement waited, or that was set back, is then not behind the fence.
 *   <li>{@code complete}, {@code fail}, {@code release}, {@code doubt} and {@code renew} compare owner and fence, and
 *       change nothing when they differ. Only {@code release} compares the lease: a record that was ever in doubt is
 *       not released by its owner, because duplicates may have been told that the outcome is unknown and that the body
 *       is not run again. A store whose clock can be set back records that it gave this answer: from then on
 *       {@link StoredRecord#doubt()} says {@link #LEASE_OVER}. A repeated call that was applied answers
 *       {@link Settled.Applied}. A settled record changes no more, whichever owner asks.
 *   <li>Operation and fingerprint are kept for as long as the record is; a claim's arguments until the record is
 *       settled, released or resolved, and not a moment longer.
 *   <li>For a record that it does not understand, a store throws {@link UnreadableRecordException} and leaves it alone.
 * </ol>
 *
 * <p>Implementations are thread-safe. Every method blocks its caller until the store has answered, for at most as long
 * as the time-outs of its driver permit: a caller cannot end a call. A method that got no answer throws any
 * {@link RuntimeException}; the caller then assumes that the step may or may not have been applied. Every lease and
 * retention counts from the step that sets it.
 */
public interface IdempotencyStore {

    /** A retention without an end. A store that cannot keep records for ever says so at start-up. */
    Duration FOREVER = ChronoUnit.FOREVER.getDuration();

    /** How long a store remembers the fence of a key whose record is released or expired. */
    Duration FENCE_MEMORY = Duration.ofMinutes(1);

    /** The {@link StoredRecord#doubt()} of a claim that was read after its lease was over. */
    String LEASE_OVER = "its lease was over when it was read";

    /** The {@link StoredRecord#doubt()} of a claim that was renewed after its lease was over. */
    String RENEWED_LATE = "its lease was over before it was renewed";

    /** The {@link StoredRecord#doubt()} of a claim in doubt whose reason was erased. */
    String ERASED = "its reason was erased";

    /**
     * Returns the name of this store in logs and metrics, lower-case, for instance {@code jdbc}: that of its bean, by
     * which {@code idempotency.store} and {@code @IdempotentOperation(store)} choose it.
     */
    String name();

    /**
     * Returns the transactions that records can share with the writes of a body; empty when a record is always
     * committed by itself. A store in front of another one forwards them only if its own promises hold in them.
     */
    default Optional<TransactionalStore> transactional() {
        return Optional.empty();
    }

    /**
     * Returns the signals by which waiting callers, also in other JVMs, learn that a record was settled; empty when
     * callers have to poll. A store in front of another one decides for itself.
     */
    default Optional<SettlementSignals> signals() {
        return Optional.empty();
    }

    /**
     * Tells whether every method answers from this JVM's memory without waiting, so that a server may ask the store on
     * an event loop. A store in front of another one decides for itself.
     */
    default boolean answersAtOnce() {
        return false;
    }

    /** Claims a key, or returns the record of the claim that has it. */
    ClaimResult claim(Claim claim);

    /**
     * Records the result of a body that returned. As {@link #fail} and {@link #resolve}, throws
     * {@link ResultRejectedException} for what the store can never hold; after other failures the engine tries for a day.
     */
    Settled complete(Ownership ownership, StoredResult result, Duration retention);

    /** Records that the body threw, and that its failure is final. */
    Settled fail(Ownership ownership, StoredFailure failure, Duration retention);

    /**
     * Gives the claim back, because the body had no effect. The record is absent afterwards. A record that is in doubt,
     * or was before its owner renewed it, stays: duplicates may have been told that the body is not run again.
     *
     * @return applied, also when the record is absent; or stale, possibly with a record that is still the caller's
     */
    Settled release(Ownership ownership);

    /**
     * Records that the owner does not know the outcome of the body. The record is in doubt at once.
     *
     * @param reason for people, at most 500 characters
     * @param retention how long the record is kept from now unless it is settled
     */
    Settled doubt(Ownership ownership, String reason, Duration retention);

    /**
     * Extends the leases of claims that are in progress, or whose lease is over and that no other call took over. A
     * lease that was over leaves its mark: {@link StoredRecord#doubt()} says {@link #RENEWED_LATE} from then on. Each
     * renewal is one atomic step; all of them together need not be. Those that fail alone are {@link Settled.Unanswered}.
     *
     * @return the answer for each renewal, in their order; a claim put in doubt explicitly is stale
     */
    List<Settled> renew(List<Renewal> renewals);

    /** Reads a record. May mark it with {@link #LEASE_OVER}, and changes nothing else. */
    Optional<StoredRecord> find(RecordId id);

    /** Lists records by state, the earliest claimed first. For operators; need not be fast. */
    default List<StoredRecord> list(RecordState state, Duration olderThan, int limit) {
        return list(new RecordQuery(state, null, olderThan, null, limit));
    }

    /**
     * Lists a page of records in the order of {@link RecordQuery.Position}: the earliest claimed first, and within a
     * millisecond by id. A record that is claimed again meanwhile may be missed or seen twice.
     */
    List<StoredRecord> list(RecordQuery query);

    /**
     * Settles a record in doubt by an operator's decision, and raises its fence so that its owner is stale from then
     * on. Adds the note to the record's audit trail in the same step.
     *
     * @param fence the fence that the operator saw
     * @return applied; stale, and no note kept, when the record is not in doubt or has another fence
     */
    Settled resolve(RecordId id, long fence, Resolution resolution, AuditNote note);

    /**
     * Erases the call's data from a record: its outcome and the arguments kept with it. Key, operation, fingerprint,
     * state, owner, fence and times stay, so that the body is not run again. The result of a completed record is then
     * {@link StoredResult#ERASED}, the failure of a failed one {@link StoredFailure#erased()}, and the doubt of one
     * that its owner put in doubt {@link #ERASED}. Adds the note to the record's audit trail in the same step.
     * Idempotent.
     *
     * @return applied; stale, and no note kept, when the record is absent, or in progress with a lease that stands
     */
    Settled erase(RecordId id, AuditNote note);

    /**
     * Returns the audit trail of a record: the notes of {@link #resolve} and {@link #erase}. The trail is kept for as
     * long as the last note says, also while the record is absent and when its key is claimed again.
     *
     * @return the notes' texts, the oldest first; empty without notes
     */
    List<String> audit(RecordId id);

    /**
     * Returns the store's health: whether it takes claims, and what it knows about the durability of its records.
     *
     * @throws RuntimeException when the store cannot be reached
     */
    default StoreHealth health() {
        find(RecordId.of("idempotency-health", null, null, ""));
        return new StoreHealth(true, Map.of());
    }

    /**
     * Returns about how many records there are, including expired ones that are not removed yet, for a gauge of growth.
     * Called often, so a store answers from its statistics rather than by counting; empty when it has no cheap answer.
     */
    default OptionalLong approximateSize() {
        return OptionalLong.empty();
    }

    /**
     * Removes at most {@code limit} expired records and returns how many; 0 when the store forgets by itself. Safe on
     * every node at once.
     */
    int purge(int limit);

    /**
     * Thrown by {@link #claim} when the store answers, but takes no new claims now: the server is less durable than
     * required, or its clock jumped. {@code onStoreFailure = PROCEED} does not permit the body then.
     */
    final class ClaimsRefusedException extends RuntimeException {

        /** Says for operators why, and what to do; the cause is null for no error of a server. */
        public ClaimsRefusedException(String problem, @Nullable Throwable cause) {
            super(problem, cause);
        }
    }

    /**
     * Thrown by {@link #claim} for a new key that the store has no room for. Nothing was claimed. A full store still
     * finds its records, and still takes the steps that settle them.
     */
    final class StoreFullException extends RuntimeException {

        /** Says for operators which limit it is and how to raise it; the cause is null for no error of a server. */
        public StoreFullException(String problem, @Nullable Throwable cause) {
            super(problem, cause);
        }
    }
}

package io.idempotency.test;

import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordQuery;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.SettlementSignals;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.idempotency.runtime.store.TransactionalStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;

/** A sound store, for broken ones to override a method of. */
abstract class DelegatingStore implements IdempotencyStore {

    private final IdempotencyStore sound;

    DelegatingStore(IdempotencyStore sound) {
        this.sound = sound;
    }

    final Optional<StoredRecord> now(RecordId id) {
        return StoreContract.join(sound.find(id));
    }

    final boolean isNow(RecordId id, RecordState state) {
        return now(id).filter(record -> record.state() == state).isPresent();
    }

    /** The ownership of whoever holds the record, for stores that do not look who asks. */
    final Ownership holder(Ownership asking) {
        return now(asking.id())
                .map(record -> new Ownership(record.id(), record.owner(), record.fence()))
                .orElse(asking);
    }

    /** What happens between reading and writing, long enough for others to do the same. */
    final void looksAway() {
        // off the processor, so that the others get as far as here even on a busy machine
        long end = System.nanoTime() + 20_000_000;
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    /** For stores that look at the lease of a record that has none any more. */
    static boolean settledAndOfAnOldLease(StoredRecord record) {
        return (record.state() == RecordState.COMPLETED || record.state() == RecordState.FAILED)
                && !record.leaseUntil().isAfter(record.readAt());
    }

    static CompletionStage<Settled> applied() {
        return CompletableFuture.completedFuture(new Settled.Applied());
    }

    final CompletionStage<Settled> stale(RecordId id) {
        return CompletableFuture.completedFuture(new Settled.Stale(now(id).orElse(null)));
    }

    @Override
    public String name() {
        return "broken";
    }

    @Override
    public Optional<TransactionalStore> transactional() {
        return Optional.empty();
    }

    @Override
    public Optional<SettlementSignals> signals() {
        return Optional.empty();
    }

    @Override
    public boolean blocking() {
        return sound.blocking();
    }

    @Override
    public CompletionStage<ClaimResult> claim(Claim claim) {
        return sound.claim(claim);
    }

    @Override
    public CompletionStage<Settled> complete(Ownership ownership, StoredResult result, Duration retention) {
        return sound.complete(ownership, result, retention);
    }

    @Override
    public CompletionStage<Settled> fail(Ownership ownership, StoredFailure failure, Duration retention) {
        return sound.fail(ownership, failure, retention);
    }

    @Override
    public CompletionStage<Settled> release(Ownership ownership) {
        return sound.release(ownership);
    }

    @Override
    public CompletionStage<Settled> doubt(Ownership ownership, String reason, Duration retention) {
        return sound.doubt(ownership, reason, retention);
    }

    @Override
    public CompletionStage<Settled> renew(Ownership ownership, Duration lease, Duration retention) {
        return sound.renew(ownership, lease, retention);
    }

    @Override
    public CompletionStage<Optional<StoredRecord>> find(RecordId id) {
        return sound.find(id);
    }

    @Override
    public CompletionStage<List<StoredRecord>> list(RecordQuery query) {
        return sound.list(query);
    }

    @Override
    public CompletionStage<Settled> resolve(RecordId id, long fence, Resolution resolution, AuditNote note) {
        return sound.resolve(id, fence, resolution, note);
    }

    @Override
    public CompletionStage<List<String>> audit(RecordId id) {
        return sound.audit(id);
    }

    @Override
    public CompletionStage<Integer> purge(int limit) {
        return sound.purge(limit);
    }
}

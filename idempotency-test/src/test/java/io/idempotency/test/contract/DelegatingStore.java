package io.idempotency.test.contract;

import io.idempotency.runtime.store.ForwardingStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.SettlementSignals;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.TransactionalStore;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** A sound store, for broken ones to override a method of. */
abstract class DelegatingStore extends ForwardingStore {

    DelegatingStore(IdempotencyStore sound) {
        super(sound);
    }

    final Optional<StoredRecord> now(RecordId id) {
        return super.find(id);
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

    /** Removes a record, whoever holds it. */
    final void remove(RecordId id) {
        now(id).ifPresent(record -> {
            super.doubt(holder(new Ownership(id, record.owner(), 0)), ContractPart.REASON, ContractPart.RETENTION);
            super.resolve(id, record.fence(), new Resolution.Forget(), ContractPart.NOTE);
        });
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

    static Settled applied() {
        return new Settled.Applied();
    }

    final Settled stale(RecordId id) {
        return new Settled.Stale(now(id).orElse(null));
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
}

package io.idempotency.test;

import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.ForwardingStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordQuery;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.SettlementSignals;
import io.idempotency.runtime.store.StoreHealth;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.idempotency.runtime.store.TransactionalStore;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Forwards calls to another store, and breaks them on command, for instance before or after the body. Thread-safe. */
public final class FaultyStore extends ForwardingStore {

    /** The calls that can be broken, named after the methods of {@link IdempotencyStore}. */
    public enum Call {
        CLAIM,
        COMPLETE,
        FAIL,
        RELEASE,
        DOUBT,
        RENEW,
        FIND,
        LIST,
        RESOLVE,
        ERASE,
        AUDIT,
        PURGE
    }

    private final Faults faults;
    private final SignalFaults signals;

    /** Creates a decorator without faults. */
    public FaultyStore(IdempotencyStore store) {
        this(store, new Faults(), new SignalFaults());
    }

    private FaultyStore(IdempotencyStore store, Faults faults, SignalFaults signals) {
        super(store);
        this.faults = faults;
        this.signals = signals;
    }

    /** Makes these calls fail before they reach the store, as when it cannot be reached. */
    public void refuse(Call... calls) {
        faults.set(new Faults.Refused(), calls);
    }

    /** Makes these calls fail after the store applied them, as when the connection breaks before the reply. */
    public void loseReply(Call... calls) {
        faults.set(new Faults.ReplyLost(), calls);
    }

    /** Delays these calls, in real time, before they reach the store. */
    public void delay(Duration delay, Call... calls) {
        faults.set(new Faults.Delayed(delay), calls);
    }

    /** Holds these calls until {@link #mend()} by another thread; those held for a minute fail and are not applied. */
    public void hold(Call... calls) {
        faults.set(new Faults.Held(), calls);
    }

    /** Runs an action before each of these calls, in the caller's thread and whatever the fault. */
    public void before(Call call, Runnable action) {
        faults.before(call, action);
    }

    /** Stops settlement signals, and tells waiting callers so. */
    public void closeChannel() {
        signals.set(SignalFaults.Mode.NO_CHANNEL);
    }

    /** Drops settlement signals, while waiting callers believe that they would hear them. */
    public void loseSignals() {
        signals.set(SignalFaults.Mode.LOST);
    }

    /** Returns the number of listeners: 0 when no caller waits for a call of another JVM. */
    public int listeners() {
        return signals.listening();
    }

    /**
     * Lets the next call that acquires its key die with its JVM, as far as the store can tell: the outcome is never
     * recorded, and the lease runs out. The body runs, and its caller gets an answer; where the operation is
     * transactional, an exception, and both are rolled back.
     */
    public void crashNextOwner() {
        faults.crashNextOwner();
    }

    /** Removes all faults. Held calls reach the store before this returns. */
    public void mend() {
        faults.clear();
        signals.set(SignalFaults.Mode.HEARD);
    }

    @Override
    public boolean answersAtOnce() {
        return false;
    }

    @Override
    public ClaimResult claim(Claim claim) {
        ClaimResult result = faults.meet(Call.CLAIM, () -> super.claim(claim));
        faults.claimed(claim, result);
        return result;
    }

    @Override
    public Settled complete(Ownership ownership, StoredResult result, Duration retention) {
        return settle(Call.COMPLETE, ownership, () -> super.complete(ownership, result, retention));
    }

    @Override
    public Settled fail(Ownership ownership, StoredFailure failure, Duration retention) {
        return settle(Call.FAIL, ownership, () -> super.fail(ownership, failure, retention));
    }

    @Override
    public Settled release(Ownership ownership) {
        return settle(Call.RELEASE, ownership, () -> super.release(ownership));
    }

    @Override
    public Settled doubt(Ownership ownership, String reason, Duration retention) {
        return settle(Call.DOUBT, ownership, () -> super.doubt(ownership, reason, retention));
    }

    @Override
    public List<Settled> renew(List<Renewal> renewals) {
        List<Renewal> alive = renewals.stream()
                .filter(renewal -> !faults.crashed(renewal.ownership()))
                .toList();
        Iterator<Settled> answers = alive.isEmpty()
                ? Collections.emptyIterator()
                : faults.meet(Call.RENEW, () -> super.renew(alive)).iterator();
        return renewals.stream()
                .map(renewal -> alive.contains(renewal) ? answers.next() : new Settled.Stale(null))
                .toList();
    }

    private Settled settle(Call call, Ownership ownership, Supplier<Settled> real) {
        return faults.crashed(ownership) ? new Settled.Stale(null) : faults.meet(call, real);
    }

    @Override
    public Optional<StoredRecord> find(RecordId id) {
        return faults.meet(Call.FIND, () -> super.find(id));
    }

    @Override
    public List<StoredRecord> list(RecordQuery query) {
        return faults.meet(Call.LIST, () -> super.list(query));
    }

    @Override
    public Settled resolve(RecordId id, long fence, Resolution resolution, AuditNote note) {
        return faults.meet(Call.RESOLVE, () -> super.resolve(id, fence, resolution, note));
    }

    @Override
    public Settled erase(RecordId id, AuditNote note) {
        return faults.meet(Call.ERASE, () -> super.erase(id, note));
    }

    @Override
    public List<String> audit(RecordId id) {
        return faults.meet(Call.AUDIT, () -> super.audit(id));
    }

    @Override
    public StoreHealth health() {
        return faults.meet(Call.FIND, super::health);
    }

    @Override
    public int purge(int limit) {
        return faults.meet(Call.PURGE, () -> super.purge(limit));
    }

    /** Applies the faults to calls within a transaction, but not to waiting for its lock. */
    @Override
    public Optional<TransactionalStore> transactional() {
        return super.transactional().map(behind -> new TransactionalStore() {
            @Override
            public String dataSource() {
                return behind.dataSource();
            }

            @Override
            public boolean hasOwnConnections() {
                return behind.hasOwnConnections();
            }

            @Override
            public <T> T inTransaction(Duration lockTimeout, Work<T> work) throws Exception {
                return behind.inTransaction(
                        lockTimeout, inTransaction -> work.in(new FaultyStore(inTransaction, faults, signals)));
            }
        });
    }

    @Override
    public Optional<SettlementSignals> signals() {
        return super.signals().map(behind -> (id, look) -> signals.listen(behind, id, look));
    }
}

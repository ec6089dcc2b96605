package io.idempotency.test;

import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
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
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A store in front of another one that breaks on command: for tests of what an application does when its store is gone
 * before the body, or after it. Without faults it does what the store behind it does. Thread-safe.
 */
public final class FaultyStore implements IdempotencyStore {

    /** The calls that can be broken. */
    public enum Call {
        /** {@link IdempotencyStore#claim}. */
        CLAIM,
        /** {@link IdempotencyStore#complete}. */
        COMPLETE,
        /** {@link IdempotencyStore#fail}. */
        FAIL,
        /** {@link IdempotencyStore#release}. */
        RELEASE,
        /** {@link IdempotencyStore#doubt}. */
        DOUBT,
        /** {@link IdempotencyStore#renew}. */
        RENEW,
        /** {@link IdempotencyStore#find}. */
        FIND,
        /** {@link IdempotencyStore#list}. */
        LIST,
        /** {@link IdempotencyStore#resolve}. */
        RESOLVE,
        /** {@link IdempotencyStore#erase}. */
        ERASE,
        /** {@link IdempotencyStore#audit}. */
        AUDIT,
        /** {@link IdempotencyStore#purge}. */
        PURGE
    }

    private final IdempotencyStore store;
    private final Faults faults;
    private final SignalFaults signals;

    /**
     * Sound until told otherwise.
     *
     * @param store does the work
     */
    public FaultyStore(IdempotencyStore store) {
        this(store, new Faults(), new SignalFaults());
    }

    private FaultyStore(IdempotencyStore store, Faults faults, SignalFaults signals) {
        this.store = store;
        this.faults = faults;
        this.signals = signals;
    }

    /**
     * From now on these calls fail and are not applied, as when the store cannot be reached.
     *
     * @param calls which ones
     */
    public void refuse(Call... calls) {
        faults.set(new Faults.Refused(), calls);
    }

    /**
     * From now on these calls are applied and fail all the same, as when the connection breaks before the reply.
     *
     * @param calls which ones
     */
    public void loseReply(Call... calls) {
        faults.set(new Faults.ReplyLost(), calls);
    }

    /**
     * From now on these calls take so long before they reach the store; their threads are blocked meanwhile.
     *
     * @param delay in real time
     * @param calls which ones
     */
    public void delay(Duration delay, Call... calls) {
        faults.set(new Faults.Delayed(delay), calls);
    }

    /**
     * From now on these calls do not reach the store before {@link #mend()}; their threads are blocked meanwhile.
     *
     * @param calls which ones
     */
    public void hold(Call... calls) {
        faults.set(new Faults.Held(), calls);
    }

    /**
     * From now on something happens before each of these calls, in its thread and whatever its fault.
     *
     * @param call which one
     * @param action for instance advances a clock, or lets another caller go first
     */
    public void before(Call call, Runnable action) {
        faults.before(call, action);
    }

    /** From now on there is no channel by which waiting callers could hear that a record was settled, and they know it. */
    public void closeChannel() {
        signals.set(SignalFaults.Mode.NO_CHANNEL);
    }

    /** From now on waiting callers do not hear that a record was settled, although everything seems to be well. */
    public void loseSignals() {
        signals.set(SignalFaults.Mode.LOST);
    }

    /**
     * How many listen at the moment.
     *
     * @return 0 when no caller waits for a call of another JVM
     */
    public int listeners() {
        return signals.listening();
    }

    /**
     * The next call that is given its key dies with its JVM, as far as the store can tell: it is told nothing of that call any
     * more, and its lease runs out. The body runs all the same, and what its own caller gets does not matter.
     */
    public void crashNextOwner() {
        faults.crashNextOwner();
    }

    /** Everything works again, and what was held reaches the store before this returns. */
    public void mend() {
        faults.clear();
        signals.set(SignalFaults.Mode.HEARD);
    }

    @Override
    public String name() {
        return store.name();
    }

    @Override
    public ClaimResult claim(Claim claim) {
        ClaimResult result = faults.meet(Call.CLAIM, () -> store.claim(claim));
        faults.claimed(claim, result);
        return result;
    }

    @Override
    public Settled complete(Ownership ownership, StoredResult result, Duration retention) {
        return settle(Call.COMPLETE, ownership, () -> store.complete(ownership, result, retention));
    }

    @Override
    public Settled fail(Ownership ownership, StoredFailure failure, Duration retention) {
        return settle(Call.FAIL, ownership, () -> store.fail(ownership, failure, retention));
    }

    @Override
    public Settled release(Ownership ownership) {
        return settle(Call.RELEASE, ownership, () -> store.release(ownership));
    }

    @Override
    public Settled doubt(Ownership ownership, String reason, Duration retention) {
        return settle(Call.DOUBT, ownership, () -> store.doubt(ownership, reason, retention));
    }

    @Override
    public List<Settled> renew(List<Renewal> renewals) {
        Map<Boolean, List<Renewal>> byLife =
                renewals.stream().collect(Collectors.partitioningBy(renewal -> faults.crashed(renewal.ownership())));
        List<Renewal> alive = byLife.getOrDefault(false, List.of());
        Iterator<Settled> answers = alive.isEmpty()
                ? Collections.emptyIterator()
                : faults.meet(Call.RENEW, () -> store.renew(alive)).iterator();
        List<Renewal> dead = byLife.getOrDefault(true, List.of());
        return renewals.stream()
                .map(renewal -> dead.contains(renewal) ? new Settled.Stale(null) : answers.next())
                .toList();
    }

    private Settled settle(Call call, Ownership ownership, Supplier<Settled> real) {
        return faults.crashed(ownership) ? new Settled.Stale(null) : faults.meet(call, real);
    }

    @Override
    public Optional<StoredRecord> find(RecordId id) {
        return faults.meet(Call.FIND, () -> store.find(id));
    }

    @Override
    public List<StoredRecord> list(RecordQuery query) {
        return faults.meet(Call.LIST, () -> store.list(query));
    }

    @Override
    public OptionalLong approximateSize() {
        return store.approximateSize();
    }

    @Override
    public Settled resolve(RecordId id, long fence, Resolution resolution, AuditNote note) {
        return faults.meet(Call.RESOLVE, () -> store.resolve(id, fence, resolution, note));
    }

    @Override
    public Settled erase(RecordId id, AuditNote note) {
        return faults.meet(Call.ERASE, () -> store.erase(id, note));
    }

    @Override
    public List<String> audit(RecordId id) {
        return faults.meet(Call.AUDIT, () -> store.audit(id));
    }

    @Override
    public StoreHealth health() {
        return faults.meet(Call.FIND, store::health);
    }

    @Override
    public int purge(int limit) {
        return faults.meet(Call.PURGE, () -> store.purge(limit));
    }

    /** Whether it waits for a lock is the database's business; every call within the transaction meets the faults. */
    @Override
    public Optional<TransactionalStore> transactional() {
        return store.transactional().map(behind -> new FaultyTransactions(behind, this::with));
    }

    @Override
    public Optional<SettlementSignals> signals() {
        return store.signals().map(behind -> (id, look) -> signals.listen(behind, id, look));
    }

    private FaultyStore with(IdempotencyStore inTransaction) {
        return new FaultyStore(inTransaction, faults, signals);
    }
}

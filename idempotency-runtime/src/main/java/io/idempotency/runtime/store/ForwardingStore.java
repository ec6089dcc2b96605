package io.idempotency.runtime.store;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A store that forwards every call to another one: extend it for a {@link StoreDecorator} and override what differs.
 * Calls in a transaction and signals bypass a subclass that overrides neither {@link #transactional()} nor
 * {@link #signals()}. As thread-safe as the other store.
 */
public abstract class ForwardingStore implements IdempotencyStore {

    private final IdempotencyStore store;

    /** Creates a store in front of the given one. */
    protected ForwardingStore(IdempotencyStore store) {
        this.store = store;
    }

    @Override
    public String name() {
        return store.name();
    }

    @Override
    public Optional<TransactionalStore> transactional() {
        return store.transactional();
    }

    @Override
    public Optional<SettlementSignals> signals() {
        return store.signals();
    }

    @Override
    public ClaimResult claim(Claim claim) {
        return store.claim(claim);
    }

    @Override
    public Settled complete(Ownership ownership, StoredResult result, Duration retention) {
        return store.complete(ownership, result, retention);
    }

    @Override
    public Settled fail(Ownership ownership, StoredFailure failure, Duration retention) {
        return store.fail(ownership, failure, retention);
    }

    @Override
    public Settled release(Ownership ownership) {
        return store.release(ownership);
    }

    @Override
    public Settled doubt(Ownership ownership, String reason, Duration retention) {
        return store.doubt(ownership, reason, retention);
    }

    @Override
    public List<Settled> renew(List<Renewal> renewals) {
        return store.renew(renewals);
    }

    @Override
    public Optional<StoredRecord> find(RecordId id) {
        return store.find(id);
    }

    @Override
    public List<StoredRecord> list(RecordQuery query) {
        return store.list(query);
    }

    @Override
    public Settled resolve(RecordId id, long fence, Resolution resolution, AuditNote note) {
        return store.resolve(id, fence, resolution, note);
    }

    @Override
    public Settled erase(RecordId id, AuditNote note) {
        return store.erase(id, note);
    }

    @Override
    public List<String> audit(RecordId id) {
        return store.audit(id);
    }

    @Override
    public int purge(int most) {
        return store.purge(most);
    }

    @Override
    public StoreHealth health() {
        return store.health();
    }

    @Override
    public OptionalLong approximateSize() {
        return store.approximateSize();
    }
}

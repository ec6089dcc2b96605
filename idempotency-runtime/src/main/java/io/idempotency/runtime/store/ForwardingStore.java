package io.idempotency.runtime.store;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/**
 * A store in front of another one, which it hands everything on to, also what it can do: extend it in a {@link StoreDecorator} and
 * override what differs. Calls within a transaction and signals pass by a store that overrides neither {@link #transactional()} nor
 * {@link #signals()}. As thread-safe as the store behind.
 */
public abstract class ForwardingStore implements IdempotencyStore {

    private final IdempotencyStore store;

    /**
     * In front of a store.
     *
     * @param store the store behind
     */
    protected ForwardingStore(IdempotencyStore store) {
        this.store = store;
    }

    @Override
    public String name() {
        return store.name();
    }

    @Override
    public boolean blocking() {
        return store.blocking();
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
    public CompletionStage<ClaimResult> claim(Claim claim) {
        return store.claim(claim);
    }

    @Override
    public CompletionStage<Settled> complete(Ownership ownership, StoredResult result, Duration retention) {
        return store.complete(ownership, result, retention);
    }

    @Override
    public CompletionStage<Settled> fail(Ownership ownership, StoredFailure failure, Duration retention) {
        return store.fail(ownership, failure, retention);
    }

    @Override
    public CompletionStage<Settled> release(Ownership ownership) {
        return store.release(ownership);
    }

    @Override
    public CompletionStage<Settled> doubt(Ownership ownership, String reason, Duration retention) {
        return store.doubt(ownership, reason, retention);
    }

    @Override
    public CompletionStage<Settled> renew(Ownership ownership, Duration lease, Duration retention) {
        return store.renew(ownership, lease, retention);
    }

    @Override
    public CompletionStage<Optional<StoredRecord>> find(RecordId id) {
        return store.find(id);
    }

    @Override
    public CompletionStage<List<StoredRecord>> list(RecordQuery query) {
        return store.list(query);
    }

    @Override
    public CompletionStage<Settled> resolve(RecordId id, long fence, Resolution resolution, AuditNote note) {
        return store.resolve(id, fence, resolution, note);
    }

    @Override
    public CompletionStage<List<String>> audit(RecordId id) {
        return store.audit(id);
    }

    @Override
    public CompletionStage<Integer> purge(int most) {
        return store.purge(most);
    }

    @Override
    public Optional<StoredRecord> remembered(RecordId id) {
        return store.remembered(id);
    }

    @Override
    public CompletionStage<StoreHealth> health() {
        return store.health();
    }

    @Override
    public CompletionStage<OptionalLong> approximateSize() {
        return store.approximateSize();
    }
}

package io.idempotency.runtime.simulation;

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
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.idempotency.runtime.store.TransactionalStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A node's way to the store: every call is a request and a reply on a network that loses, delays and repeats them. */
final class Connection implements IdempotencyStore {

    private final World world;
    private final Node node;
    private final Network network;

    Connection(World world, Node node) {
        this.world = world;
        this.node = node;
        this.network = new Network(world, node);
    }

    @Override
    public String name() {
        return "simulated";
    }

    @Override
    public ClaimResult claim(Claim claim) {
        return network.ask(Step.CLAIM, store -> world.store.claim(store, claim));
    }

    @Override
    public Settled complete(Ownership ownership, StoredResult result, Duration retention) {
        return settle(Step.COMPLETE, ownership, store -> store.complete(ownership, result, retention));
    }

    @Override
    public Settled fail(Ownership ownership, StoredFailure failure, Duration retention) {
        return settle(Step.FAIL, ownership, store -> store.fail(ownership, failure, retention));
    }

    @Override
    public Settled release(Ownership ownership) {
        return settle(Step.RELEASE, ownership, store -> store.release(ownership));
    }

    @Override
    public Settled doubt(Ownership ownership, String reason, Duration retention) {
        return settle(Step.DOUBT, ownership, store -> store.doubt(ownership, reason, retention));
    }

    private Settled settle(Step step, Ownership ownership, Function<IdempotencyStore, Settled> request) {
        Settled settled = network.ask(step, request);
        boolean held = settled instanceof Settled.Stale stale
                && stale.current() != null
                && stale.current().heldBy(ownership);
        if (step != Step.RELEASE || !held) { // else the owner has still to say that it is in doubt
            world.witness.settled(ownership.owner());
        }
        return settled;
    }

    @Override
    public List<Settled> renew(List<Renewal> renewals) {
        renewals.forEach(renewal -> world.witness.renews(renewal.ownership().owner()));
        return network.ask(Step.RENEW, store -> store.renew(renewals));
    }

    @Override
    public Optional<StoredRecord> find(RecordId id) {
        return network.ask(Step.FIND, store -> store.find(id));
    }

    @Override
    public List<StoredRecord> list(RecordQuery query) {
        return network.ask(Step.FIND, store -> store.list(query));
    }

    @Override
    public Settled resolve(RecordId id, long fence, Resolution resolution, AuditNote note) {
        return network.ask(Step.RESOLVE, store -> store.resolve(id, fence, resolution, note));
    }

    @Override
    public Settled erase(RecordId id, AuditNote note) {
        return network.ask(Step.FIND, store -> store.erase(id, note));
    }

    @Override
    public List<String> audit(RecordId id) {
        return network.ask(Step.FIND, store -> store.audit(id));
    }

    @Override
    public int purge(int limit) {
        return network.ask(Step.FIND, store -> store.purge(limit));
    }

    @Override
    public Optional<TransactionalStore> transactional() {
        return Optional.empty();
    }

    @Override
    public Optional<SettlementSignals> signals() {
        return Optional.of((id, look) -> {
            Fault fault = world.disturbances.at(Step.LISTEN, node);
            if (fault == Fault.ERROR) {
                throw new InjectedError();
            }
            return world.store.listen(node, look, fault);
        });
    }
}

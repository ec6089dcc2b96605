package io.idempotency.runtime.simulation;

import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.SettlementSignals;
import io.idempotency.runtime.store.StoredRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The server that the nodes share: its clock, its records and its channel for signals. */
final class SharedStore {

    static final RecordId ID = RecordId.of("payments", null, null, "k");

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final World world;
    private final IdempotencyStore records;
    private final List<Listener> listeners = new ArrayList<>();
    private Duration step = Duration.ZERO;
    private boolean steppedForward;
    private long awayUntil = Long.MIN_VALUE;

    /** One waiting caller. */
    private static final class Listener {
        private final Node node;
        private final Runnable look;
        private final @Nullable Fault fault;

        Listener(Node node, Runnable look, @Nullable Fault fault) {
            this.node = node;
            this.look = look;
            this.fault = fault;
        }
    }

    SharedStore(World world) {
        this.world = world;
        MemoryIdempotencyStore memory = new MemoryIdempotencyStore(
                () -> START.plusNanos(world.time.nanos()).plus(step));
        this.records = world.sabotage.store(memory);
        memory.signals().orElseThrow().listen(ID, this::signal);
    }

    /** One request reaches the store. */
    <T> T apply(Function<IdempotencyStore, T> request) {
        world.dice.touch(this);
        return request.apply(records);
    }

    /** A claim reaches the store. */
    ClaimResult claim(IdempotencyStore store, Claim claim) {
        world.dice.touch(this);
        ClaimResult result = store.claim(claim);
        world.trace(() -> "store: claim of " + claim.owner() + " -> " + Witness.text(result));
        if (result instanceof ClaimResult.Acquired acquired) {
            world.witness.granted(claim.owner(), acquired.fence());
        }
        return result;
    }

    boolean away() {
        world.dice.touch(this);
        return world.time.nanos() < awayUntil;
    }

    /** Whether the clock was ever set. */
    boolean stepped() {
        world.dice.touch(this);
        return !step.isZero();
    }

    /** Whether a lease may have ended for the store before it did for its owner. */
    boolean steppedForward() {
        world.dice.touch(this);
        return steppedForward;
    }

    void purge() {
        world.dice.touch(this);
        records.purge(1000);
    }

    void restart(Duration span) {
        world.dice.touch(this);
        awayUntil = world.time.nanos() + span.toNanos();
        world.time.after(span, null, this::signal);
    }

    void stepClock(Duration by) {
        world.dice.touch(this);
        step = step.plus(by);
        steppedForward = steppedForward || !by.isNegative();
    }

    Optional<StoredRecord> record() {
        world.dice.touch(this);
        return records.find(ID);
    }

    /** A node's channel. Signals may come late, twice or never, and do not while the store is away. */
    SettlementSignals.Subscription listen(Node node, Runnable look, @Nullable Fault fault) {
        world.dice.touch(this);
        Listener listener = new Listener(node, look, fault);
        listeners.add(listener);
        tell(listener);
        return new SettlementSignals.Subscription() {
            @Override
            public boolean live() {
                return !away();
            }

            @Override
            public void close() {
                world.dice.touch(SharedStore.this);
                listeners.remove(listener);
            }
        };
    }

    int listening() {
        return (int) listeners.stream().filter(each -> each.node.alive()).count();
    }

    private void signal() {
        world.dice.touch(this);
        if (!away()) {
            List.copyOf(listeners).forEach(this::tell);
        }
    }

    private void tell(Listener listener) {
        if (listener.fault == Fault.REQUEST_LOST || listener.fault == Fault.REPLY_LOST) {
            return;
        }
        Duration delay = listener.fault == Fault.LATE_REPLY ? world.dice.leases(0.1, 2) : world.latency();
        world.time.after(delay, listener.node, listener.look);
        if (listener.fault == Fault.DUPLICATE) {
            world.time.after(delay.plus(world.latency()), listener.node, listener.look);
        }
    }
}

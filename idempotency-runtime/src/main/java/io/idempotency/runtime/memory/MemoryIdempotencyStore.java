package io.idempotency.runtime.memory;

import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.IdempotencyStore.StoreFullException;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordEntry;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordQuery;
import io.idempotency.runtime.store.RecordTransitions;
import io.idempotency.runtime.store.RecordTransitions.Step;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.SettlementSignals;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Keeps records on the heap: protects one JVM, for as long as that JVM runs. Thread-safe; its methods do not wait. */
public final class MemoryIdempotencyStore implements IdempotencyStore {

    /** How many expired records a claim removes when the store is full. */
    private static final int ROOM = 100;

    /** How long no expired record is looked for after a pass over all records has found none. */
    private static final int REST_MILLIS = 100;

    private final ConcurrentHashMap<RecordId, RecordEntry> entries = new ConcurrentHashMap<>();
    private final ConcurrentMap<RecordId, AuditNote.Trail> trails = new ConcurrentHashMap<>();
    private final SettlementSignals.Listeners listeners = new SettlementSignals.Listeners();
    private final LongSupplier clock; // in milliseconds since 1970
    private final int maxRecords;

    /** The rest of the last purge's pass over the records. Guarded by {@code this}. */
    private Iterator<RecordEntry> unseen = Collections.emptyIterator();

    /** When a full store looks for expired records again, by the clock. Guarded by {@code this}. */
    private long nextLookMillis;

    /** The last fence of all keys, so that fences rise across release and expiry even when the clock stands still. */
    private final AtomicLong lastFence = new AtomicLong();

    /** Creates an empty store. Leases and expiry follow elapsed time: a step of the system's clock changes neither. */
    public MemoryIdempotencyStore() {
        this(System::nanoTime, Integer.MAX_VALUE);
    }

    /**
     * Creates an empty store with a limit.
     *
     * @param nanoTime elapsed time in nanoseconds, like {@link System#nanoTime()}, which leases and expiry follow
     * @param maxRecords about how many keys are remembered; a claim of one more throws {@link StoreFullException}
     */
    public MemoryIdempotencyStore(LongSupplier nanoTime, int maxRecords) {
        this(maxRecords, elapsed(InstantSource.system(), nanoTime));
    }

    /**
     * Creates an empty store, for tests.
     *
     * @param clock decides about leases and expiry, so it must not be set while the store is in use
     */
    public MemoryIdempotencyStore(InstantSource clock) {
        this(Integer.MAX_VALUE, clock::millis);
    }

    MemoryIdempotencyStore(int maxRecords, LongSupplier clock) {
        this.clock = clock;
        this.maxRecords = maxRecords;
        listeners.live(true);
    }

    /** Returns a clock in milliseconds that begins at the time of another and then follows elapsed time. */
    static LongSupplier elapsed(InstantSource clock, LongSupplier nanoTime) {
        long startMillis = clock.millis();
        long startNanos = nanoTime.getAsLong();
        return () -> startMillis + TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - startNanos);
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public ClaimResult claim(Claim claim) {
        if (entries.mappingCount() >= maxRecords && !entries.containsKey(claim.id()) && !madeRoom()) {
            throw new StoreFullException(
                    "the memory store keeps " + maxRecords + " records and none of them is expired. Raise"
                            + " idempotency.memory.max-records if the heap has room, or keep outcomes for a shorter time"
                            + " (idempotency.retention)",
                    null);
        }
        return atomically(claim.id(), (entry, now) -> RecordTransitions.claim(entry, claim, () -> nextFence(now), now));
    }

    /** Removes a few expired records, and rests after a pass that found none: each claim of a new key comes here. */
    private synchronized boolean madeRoom() {
        long now = clock.getAsLong();
        if (now < nextLookMillis) {
            return false;
        }
        boolean made = purge(ROOM) > 0;
        nextLookMillis = made ? now : now + REST_MILLIS;
        return made;
    }

    @Override
    public Settled complete(Ownership ownership, StoredResult result, Duration retention) {
        return settle(ownership, (entry, now) -> RecordTransitions.complete(entry, ownership, result, retention, now));
    }

    @Override
    public Settled fail(Ownership ownership, StoredFailure failure, Duration retention) {
        return settle(ownership, (entry, now) -> RecordTransitions.fail(entry, ownership, failure, retention, now));
    }

    @Override
    public Settled release(Ownership ownership) {
        return settle(ownership, (entry, now) -> RecordTransitions.release(entry, ownership, now));
    }

    @Override
    public Settled doubt(Ownership ownership, String reason, Duration retention) {
        return settle(ownership, (entry, now) -> RecordTransitions.doubt(entry, ownership, reason, retention, now));
    }

    @Override
    public List<Settled> renew(List<Renewal> renewals) {
        return renewals.stream().map(this::renewed).toList();
    }

    private Settled renewed(Renewal renewal) {
        Ownership ownership = renewal.ownership();
        return settle(
                ownership,
                (entry, now) -> RecordTransitions.renew(entry, ownership, renewal.lease(), renewal.retention(), now));
    }

    @Override
    public Settled resolve(RecordId id, long fence, Resolution resolution, AuditNote note) {
        return audited(
                id,
                note,
                (entry, now) -> RecordTransitions.resolve(entry, fence, resolution, () -> nextFence(now), now));
    }

    @Override
    public Settled erase(RecordId id, AuditNote note) {
        return audited(id, note, RecordTransitions::erase);
    }

    private Settled audited(RecordId id, AuditNote note, Decision<Settled> decide) {
        return atomically(id, (entry, now) -> {
            Step<Settled> step = decide.step(entry, now);
            if (step.answer() instanceof Settled.Applied) {
                trails.compute(id, (key, trail) -> AuditNote.Trail.with(trail, note, now));
            }
            return step;
        });
    }

    @Override
    public List<String> audit(RecordId id) {
        AuditNote.Trail trail = trails.get(id);
        return trail == null || trail.overAt(clock.getAsLong()) ? List.of() : trail.notes();
    }

    @Override
    public Optional<StoredRecord> find(RecordId id) {
        Optional<RecordEntry> found = Optional.ofNullable(entries.get(id));
        long now = clock.getAsLong();
        return found.filter(entry -> !entry.expiredAt(now)).map(entry -> entry.seenAt(now));
    }

    @Override
    public List<StoredRecord> list(RecordQuery query) {
        long now = clock.getAsLong();
        return query.page(entries.values().stream()
                .filter(entry -> !entry.expiredAt(now) && entry.stateAt(now) == query.state())
                .map(entry -> entry.seenAt(now)));
    }

    @Override
    public OptionalLong approximateSize() {
        return OptionalLong.of(entries.size());
    }

    /**
     * {@inheritDoc}
     *
     * <p>Goes on where the batch before ended, and starts a new pass only when it finds nothing there. With records
     * expiring all the time, a whole pass for every batch took as much of a processor as the calls.
     */
    @Override
    public synchronized int purge(int limit) {
        long now = clock.getAsLong();
        trails.values().removeIf(trail -> trail.overAt(now));
        int removed = purge(unseen, limit);
        if (removed == 0) {
            unseen = entries.values().iterator();
            removed = purge(unseen, limit);
        }
        return removed;
    }

    private int purge(Iterator<RecordEntry> some, int limit) {
        long now = clock.getAsLong();
        int removed = 0;
        while (removed < limit && some.hasNext()) {
            RecordEntry entry = some.next();
            // remove(key, value) spares a record that was claimed again since
            if (entry.expiredAt(now) && entries.remove(entry.id(), entry)) {
                removed++;
            }
        }
        return removed;
    }

    /** A step on a record, null when absent, at a time in milliseconds. */
    @FunctionalInterface
    private interface Decision<T> {
        Step<T> step(@Nullable RecordEntry entry, long now);
    }

    /** Applies a step, then wakes the waiting callers: outside the step, because they read the record. */
    private Settled settle(Ownership ownership, Decision<Settled> verb) {
        Settled answer = atomically(ownership.id(), verb);
        listeners.wake(ownership.id());
        return answer;
    }

    @Override
    public Optional<SettlementSignals> signals() {
        return Optional.of(listeners::add);
    }

    @Override
    public boolean answersAtOnce() {
        return true;
    }

    /** Applies a step atomically. Reads the clock inside it, so that steps on one key see it in their own order. */
    private <T> T atomically(RecordId id, Decision<T> decide) {
        AtomicReference<T> answer = new AtomicReference<>();
        entries.compute(id, (key, entry) -> {
            long now = clock.getAsLong();
            Step<T> step = decide.step(entry == null || entry.expiredAt(now) ? null : entry, now);
            answer.setPlain(step.answer());
            return step.next();
        });
        return answer.getPlain();
    }

    private long nextFence(long nowMillis) {
        long micros = TimeUnit.MILLISECONDS.toMicros(nowMillis);
        return lastFence.accumulateAndGet(micros, (last, now) -> Math.max(last + 1, now));
    }
}

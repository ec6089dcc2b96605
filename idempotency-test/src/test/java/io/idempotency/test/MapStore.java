package io.idempotency.test;

import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordEntry;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordQuery;
import io.idempotency.runtime.store.RecordTransitions;
import io.idempotency.runtime.store.RecordTransitions.Step;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The example of docs/writing-a-store.md: a store on a map that several nodes share, by compare and set. */
final class MapStore implements IdempotencyStore {

    /** What lies under a key. It outlives its record: a fence never falls, and an audit trail stays. */
    record Cell(@Nullable RecordEntry entry, long fence, AuditNote.@Nullable Trail trail) {

        @Nullable
        RecordEntry at(long now) {
            return entry == null || entry.expiredAt(now) ? null : entry;
        }

        Stream<StoredRecord> seenAt(long now) {
            return Stream.ofNullable(at(now)).map(present -> present.seenAt(now));
        }

        List<String> notesAt(long now) {
            return trail == null || trail.overAt(now) ? List.of() : trail.notes();
        }

        Cell with(@Nullable RecordEntry next) {
            return new Cell(next, next == null ? fence : Math.max(fence, next.fence()), trail);
        }

        Cell with(AuditNote note, long now) {
            return new Cell(entry, fence, AuditNote.Trail.with(trail, note, now));
        }

        LongSupplier nextFence(long now) {
            return () -> Math.max(fence + 1, now * 1000);
        }

        boolean overAt(long now) {
            return at(now) == null && notesAt(now).isEmpty() && now > fence / 1000 + FENCE_MEMORY.toMillis();
        }
    }

    @FunctionalInterface
    private interface Verb<T> {
        Step<T> on(Cell cell, long now);
    }

    private final ConcurrentMap<RecordId, Cell> map;
    private final InstantSource clock;

    /**
     * @param map must not lose what it acknowledged; {@code replace} compares by {@code equals}
     * @param clock the map's, one for all nodes
     */
    MapStore(ConcurrentMap<RecordId, Cell> map, InstantSource clock) {
        this.map = map;
        this.clock = clock;
    }

    @Override
    public String name() {
        return "map";
    }

    @Override
    public ClaimResult claim(Claim claim) {
        return atomically(
                claim.id(), (cell, now) -> RecordTransitions.claim(cell.at(now), claim, cell.nextFence(now), now));
    }

    @Override
    public Settled complete(Ownership mine, StoredResult result, Duration retention) {
        return atomically(
                mine.id(), (cell, now) -> RecordTransitions.complete(cell.at(now), mine, result, retention, now));
    }

    @Override
    public Settled fail(Ownership mine, StoredFailure failure, Duration retention) {
        return atomically(
                mine.id(), (cell, now) -> RecordTransitions.fail(cell.at(now), mine, failure, retention, now));
    }

    @Override
    // tag::release[]
    public Settled release(Ownership mine) {
        return atomically(mine.id(), (cell, now) -> RecordTransitions.release(cell.at(now), mine, now));
    }
    // end::release[]

    @Override
    public Settled doubt(Ownership mine, String reason, Duration retention) {
        return atomically(
                mine.id(), (cell, now) -> RecordTransitions.doubt(cell.at(now), mine, reason, retention, now));
    }

    @Override
    public List<Settled> renew(List<Renewal> renewals) {
        return renewals.stream().map(this::renewed).toList();
    }

    private Settled renewed(Renewal renewal) {
        Ownership mine = renewal.ownership();
        return atomically(
                mine.id(),
                (cell, now) -> RecordTransitions.renew(cell.at(now), mine, renewal.lease(), renewal.retention(), now));
    }

    @Override
    public Settled resolve(RecordId id, long fence, Resolution resolution, AuditNote note) {
        return atomically(
                id,
                (cell, now) -> RecordTransitions.resolve(cell.at(now), fence, resolution, cell.nextFence(now), now),
                note);
    }

    @Override
    public Settled erase(RecordId id, AuditNote note) {
        return atomically(id, (cell, now) -> RecordTransitions.erase(cell.at(now), now), note);
    }

    @Override
    public Optional<StoredRecord> find(RecordId id) {
        return cell(id).seenAt(clock.millis()).findFirst();
    }

    @Override
    public List<StoredRecord> list(RecordQuery query) {
        long now = clock.millis();
        return query.page(map.values().stream().flatMap(cell -> cell.seenAt(now)));
    }

    @Override
    public List<String> audit(RecordId id) {
        return cell(id).notesAt(clock.millis());
    }

    @Override
    public int purge(int limit) {
        long now = clock.millis();
        // remove(key, value) spares a key that was claimed again since
        return (int) map.entrySet().stream()
                .filter(entry -> entry.getValue().overAt(now))
                .filter(entry -> map.remove(entry.getKey(), entry.getValue()))
                .limit(limit)
                .count();
    }

    private Cell cell(RecordId id) {
        return Objects.requireNonNullElseGet(map.get(id), () -> new Cell(null, 0, null));
    }

    private <T> T atomically(RecordId id, Verb<T> verb) {
        return atomically(id, verb, null);
    }

    /** Goes round again when another node was faster: what it left behind is then the start. */
    private <T> T atomically(RecordId id, Verb<T> verb, @Nullable AuditNote note) {
        while (true) {
            Cell before = map.get(id);
            Cell cell = before == null ? new Cell(null, 0, null) : before;
            long now = clock.millis();
            Step<T> step = verb.on(cell, now);
            Cell next = cell.with(step.next());
            if (note != null && step.answer() instanceof Settled.Applied) {
                next = next.with(note, now);
            }
            if (before == null ? map.putIfAbsent(id, next) == null : map.replace(id, before, next)) {
                return step.answer();
            }
        }
    }
}

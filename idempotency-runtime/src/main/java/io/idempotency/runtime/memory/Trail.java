package io.idempotency.runtime.memory;

import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.IdempotencyStore;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A record's audit trail, which outlives the record.
 *
 * @param notes the oldest first
 * @param until milliseconds since 1970
 */
record Trail(List<String> notes, long until) {

    static Trail with(@Nullable Trail trail, AuditNote note, long now) {
        Stream<String> former = trail == null || trail.overAt(now) ? Stream.of() : trail.notes.stream();
        Duration kept = note.retention();
        return new Trail(
                Stream.concat(former, Stream.of(note.text())).toList(),
                kept.equals(IdempotencyStore.FOREVER) ? Long.MAX_VALUE : Math.addExact(now, kept.toMillis()));
    }

    boolean overAt(long now) {
        return now >= until;
    }
}

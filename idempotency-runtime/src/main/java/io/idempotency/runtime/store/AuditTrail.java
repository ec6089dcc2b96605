package io.idempotency.runtime.store;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A record's audit trail, which outlives the record.
 *
 * @param notes the oldest first
 * @param until milliseconds since 1970 by the store's clock
 */
public record AuditTrail(List<String> notes, long until) {

    /**
     * A trail with one more note.
     *
     * @param trail what there is so far, if anything
     * @param note the new note
     * @param now the store's clock
     * @return without the former notes where they are over
     */
    public static AuditTrail with(@Nullable AuditTrail trail, AuditNote note, long now) {
        Stream<String> former = trail == null || trail.overAt(now) ? Stream.of() : trail.notes.stream();
        Duration kept = note.retention();
        return new AuditTrail(
                Stream.concat(former, Stream.of(note.text())).toList(),
                kept.equals(IdempotencyStore.FOREVER) ? Long.MAX_VALUE : Math.addExact(now, kept.toMillis()));
    }

    /**
     * Whether the trail is forgotten by now.
     *
     * @param now the store's clock
     * @return true from the moment of expiry on
     */
    public boolean overAt(long now) {
        return now >= until;
    }
}

package io.idempotency.runtime.store;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A line of a record's audit trail about one decision: who decided what, when and why. A store does not read it.
 *
 * @param text one line, at most {@link #MAX_LENGTH} characters, without control characters
 * @param retention how long the trail is kept from now, or {@link IdempotencyStore#FOREVER}
 */
public record AuditNote(String text, Duration retention) {

    /** The longest text that stores keep. */
    public static final int MAX_LENGTH = 4000;

    /** Refuses a text that is not one line of a trail. */
    public AuditNote {
        if (text.isBlank() || text.length() > MAX_LENGTH || text.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "An audit note is one line of 1 to " + MAX_LENGTH + " characters without control characters");
        }
    }

    /**
     * The notes about one record, which outlive it.
     *
     * @param notes the oldest first
     * @param until milliseconds since 1970 by the store's clock
     */
    public record Trail(List<String> notes, long until) {

        /** Adds a note to a trail; starts a new trail when there is none, or it is forgotten by now. */
        public static Trail with(@Nullable Trail former, AuditNote note, long now) {
            Stream<String> notes = former == null || former.overAt(now) ? Stream.of() : former.notes.stream();
            return new Trail(
                    Stream.concat(notes, Stream.of(note.text())).toList(), RecordEntry.expiry(now, note.retention()));
        }

        /** Tells whether the trail is forgotten by now. */
        public boolean overAt(long now) {
            return now >= until;
        }
    }
}

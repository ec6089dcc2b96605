package io.idempotency.runtime.store;

import java.time.Duration;

/**
 * What the audit trail of a record says about one decision: who decided what, when and why. A store does not read it.
 *
 * @param text one line, at most {@link #MAX_LENGTH} characters, without control characters
 * @param retention how long the trail is kept from now, or {@link IdempotencyStore#FOREVER}
 */
public record AuditNote(String text, Duration retention) {

    /** The longest text that stores keep. */
    public static final int MAX_LENGTH = 4000;

    /** Refuses what would not be one line of a trail. */
    public AuditNote {
        if (text.isBlank() || text.length() > MAX_LENGTH || text.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "An audit note is one line of 1 to " + MAX_LENGTH + " characters without control characters");
        }
    }
}

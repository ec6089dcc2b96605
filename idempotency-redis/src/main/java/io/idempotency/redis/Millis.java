package io.idempotency.redis;

import io.idempotency.runtime.store.IdempotencyStore;
import java.time.Duration;

/** Durations as the scripts take them: whole milliseconds, at least one. */
final class Millis {

    /** Added to the clock it still is an exact double, and nobody lives to see the difference. */
    private static final Duration LONGEST = Duration.ofDays(365_000);

    private Millis() {}

    static long within(Duration duration) {
        return duration.compareTo(LONGEST) > 0 ? LONGEST.toMillis() : Math.max(1, duration.toMillis());
    }

    static byte[] of(Duration duration) {
        return RecordFields.bytes(Long.toString(within(duration)));
    }

    /** Empty for ever. */
    static byte[] ofRetention(Duration retention) {
        return retention.equals(IdempotencyStore.FOREVER) ? new byte[0] : of(retention);
    }
}

package io.idempotency.redis;

import java.util.Locale;

/** How durable a Redis server's records are when it stops, weakest first. */
public enum DurabilityLevel {
    /** Nothing is promised: the server keeps nothing on disk, evicts keys when its memory is full, or does not say. */
    NONE,
    /** An older state: save points, or an append-only file that the operating system writes when it likes. */
    SNAPSHOT,
    /** All but about the last second after a power failure, all after a crash of Redis alone. */
    EVERY_SECOND,
    /** Everything that was acknowledged. */
    ALWAYS;

    /** Returns the value as it is written in the configuration, for instance {@code every-second}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

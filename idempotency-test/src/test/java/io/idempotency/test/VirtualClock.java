package io.idempotency.test;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until a test moves it. Thread-safe. */
public final class VirtualClock implements InstantSource {

    private Instant now;

    /** Starts on the first of January 2026, at midnight UTC. */
    public VirtualClock() {
        this(Instant.parse("2026-01-01T00:00:00Z"));
    }

    /** Says this until it is moved. */
    public VirtualClock(Instant start) {
        now = start;
    }

    @Override
    public synchronized Instant instant() {
        return now;
    }

    /**
     * Moves the clock forward.
     *
     * @param duration how far, never negative
     * @throws IllegalArgumentException when negative: leases and expiry rely on a clock that does not go back
     */
    public synchronized void advance(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("A clock does not go back, not even by " + duration);
        }
        now = now.plus(duration);
    }
}

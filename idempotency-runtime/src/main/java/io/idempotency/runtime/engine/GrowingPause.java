package io.idempotency.runtime.engine;

import java.time.Duration;

/** The pause before a failing store is asked again, doubled until the store answers. Guarded by {@link Unrecorded}. */
final class GrowingPause {

    static final Duration FIRST = Duration.ofMillis(50);
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final Duration LONGEST_HURRIED = Duration.ofMillis(100);

    private Duration next = FIRST;
    private long untilNanos;
    private volatile boolean begun;
    private boolean hurrying;

    /**
     * Begins the next pause and returns how long it lasts.
     *
     * @param jitter a random number from 0 to 1, which makes the pause from half as long to full length
     */
    Duration begin(long nowNanos, double jitter) {
        long nanos = (long) (shortened(next).toNanos() * (0.5 + jitter / 2));
        next = shorter(next.multipliedBy(2), LONGEST);
        untilNanos = nowNanos + nanos;
        begun = true;
        return Duration.ofNanos(nanos);
    }

    /** Tells whether a pause has begun and was not ended. Thread-safe. */
    boolean isBegun() {
        return begun;
    }

    /** Tells whether a pause lasts at that time, and ends it when it does not. */
    boolean lasts(long nowNanos) {
        begun = begun && untilNanos - nowNanos > 0;
        return begun;
    }

    /** Returns the end of the pause, or the given time where that is later. */
    long notBeforeEnd(long nanos) {
        return begun && untilNanos - nanos > 0 ? untilNanos : nanos;
    }

    /** Ends the pause; the next one is short again. */
    void end() {
        begun = false;
        next = FIRST;
    }

    /** Ends the pause, and shortens all later ones. */
    void hurry() {
        begun = false;
        hurrying = true;
    }

    /** Returns a pause, shortened where the application shuts down. */
    Duration shortened(Duration pause) {
        return hurrying ? shorter(pause, LONGEST_HURRIED) : pause;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}

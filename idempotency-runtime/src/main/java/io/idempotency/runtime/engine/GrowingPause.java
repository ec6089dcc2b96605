package io.idempotency.runtime.engine;

import java.time.Duration;

/** How long a store that failed is left alone: twice as long each time, until it answers. Guarded by its owner. */
final class GrowingPause {

    static final Duration FIRST = Duration.ofMillis(50);
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final Duration LONGEST_HURRIED = Duration.ofMillis(100);

    private Duration next = FIRST;
    private long untilNanos;
    private volatile boolean begun;
    private boolean hurrying;

    /**
     * Begins the next pause.
     *
     * @param nowNanos when it begins
     * @param jitter from 0 to 1: how much of it is left to chance
     * @return how long it lasts
     */
    Duration begin(long nowNanos, double jitter) {
        long nanos = (long) (shortened(next).toNanos() * (0.5 + jitter / 2));
        next = shorter(next.multipliedBy(2), LONGEST);
        untilNanos = nowNanos + nanos;
        begun = true;
        return Duration.ofNanos(nanos);
    }

    /** Whether one has begun and was not ended; may be asked by any thread. */
    boolean isBegun() {
        return begun;
    }

    /** Whether one lasts at that time; ends one that is over. */
    boolean lasts(long nowNanos) {
        begun = begun && untilNanos - nowNanos > 0;
        return begun;
    }

    /** The end of the pause, where that is later. */
    long notBeforeEnd(long nanos) {
        return begun && untilNanos - nanos > 0 ? untilNanos : nanos;
    }

    /** Ends it; the next one is short again. */
    void end() {
        begun = false;
        next = FIRST;
    }

    /** Ends it, and shortens all pauses from now on. */
    void hurry() {
        begun = false;
        hurrying = true;
    }

    /** As long as a pause may be now. */
    Duration shortened(Duration pause) {
        return hurrying ? shorter(pause, LONGEST_HURRIED) : pause;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}

package io.idempotency.runtime.purge;

import java.time.Duration;

/**
 * How fast one run goes: of each second it takes the store no more than its budget, and after each batch it pauses for the rest. A
 * batch that takes longer than a quarter of the budget holds up others, so the next one is half as large; one that takes less than half
 * of that makes the next one twice as large. None is smaller than the first one: where those take long too it is their commit that
 * takes long, and a run in smaller ones would fall behind what expires meanwhile. Not thread-safe.
 */
final class PurgePace {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final int SMALLEST = 100;

    private final long budget;
    private final int largest;
    private int size;

    /**
     * The pace of a run that begins.
     *
     * @param budget how much of each second it may take, up to the whole second
     * @param largest how many records one batch has at the most
     */
    PurgePace(Duration budget, int largest) {
        this.budget = budget.toNanos();
        this.largest = largest;
        this.size = Math.min(SMALLEST, largest);
    }

    /** How many records the next batch may have. */
    int size() {
        return size;
    }

    /** How long to pause after a batch that took so long. */
    Duration pauseAfter(Duration took) {
        long nanos = took.toNanos();
        if (nanos > budget / 4) {
            size = Math.max(Math.min(SMALLEST, largest), size / 2);
        } else if (nanos < budget / 8) {
            size = (int) Math.min(largest, size * 2L);
        }
        return Duration.ofNanos((long) ((double) nanos / budget * (SECOND - budget)));
    }
}

package io.idempotency.runtime.purge;

import java.time.Duration;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import java.util.function.ObjIntConsumer;
import java.util.function.Predicate;

/**
 * How fast one run goes: of each second it takes the store no more than its budget, and after each batch it pauses for the rest. A
 * batch that takes longer than a quarter of the budget holds up calls, so the next one is half as large; one that takes less than half
 * of that makes the next one twice as large. None is smaller than the first one: where those take long too it is their commit that
 * takes long, and a run in smaller ones would fall behind what expires meanwhile. Not thread-safe.
 */
final class PurgePace {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final int SMALLEST = 100;

    private final long budget;
    private final int largest;
    private int size;

    /** The pace of a run that may take so much of each second, up to the whole second, and so many records in a batch. */
    PurgePace(Duration budget, int largest) {
        this.budget = budget.toNanos();
        this.largest = largest;
        this.size = Math.min(SMALLEST, largest);
    }

    /**
     * Removes batch after batch, until one is not full.
     *
     * @param purge removes so many records at the most, and answers how many it removed
     * @param told is told of each batch: how long it took, and how many it removed
     * @param pause pauses for so long, and answers whether to go on
     * @return false when it did not go on
     */
    boolean run(IntUnaryOperator purge, LongSupplier nanos, ObjIntConsumer<Duration> told, Predicate<Duration> pause) {
        while (true) {
            int asked = size;
            long began = nanos.getAsLong();
            int removed = purge.applyAsInt(asked);
            Duration took = Duration.ofNanos(nanos.getAsLong() - began);
            told.accept(took, removed);
            if (removed < asked) {
                return true;
            } else if (!pause.test(pauseAfter(took))) {
                return false;
            }
        }
    }

    /** How long to pause after a batch that took so long. */
    private Duration pauseAfter(Duration took) {
        long nanos = took.toNanos();
        if (nanos > budget / 4) {
            size = Math.max(Math.min(SMALLEST, largest), size / 2);
        } else if (nanos < budget / 8) {
            size = (int) Math.min(largest, size * 2L);
        }
        return Duration.ofNanos((long) ((double) nanos / budget * (SECOND - budget)));
    }
}

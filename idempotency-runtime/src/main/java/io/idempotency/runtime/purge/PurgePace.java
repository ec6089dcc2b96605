package io.idempotency.runtime.purge;

import java.time.Duration;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import java.util.function.ObjIntConsumer;
import java.util.function.Predicate;

/**
 * Paces one run: it takes the store for no more than its budget of each second, and pauses for the rest after each
 * batch. A batch that takes longer than a quarter of the budget holds up calls, so the next one is half as large; one
 * that takes less than an eighth makes the next one twice as large. No batch is smaller than the first: where even that
 * takes long, the commit takes long, and a run in smaller batches would fall behind the records that expire meanwhile.
 * Not thread-safe.
 */
final class PurgePace {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final int SMALLEST = 100;

    private final long budget;
    private final int largest;
    private int size;

    /** Creates the pace of a run with a budget of each second, at most the second, and a largest batch. */
    PurgePace(Duration budget, int largest) {
        this.budget = budget.toNanos();
        this.largest = largest;
        this.size = Math.min(SMALLEST, largest);
    }

    /**
     * Removes batch after batch, until one is not full.
     *
     * @param purge removes at most the given number of records, and returns how many it removed
     * @param told receives how long each batch took, and how many records it removed
     * @param pause pauses, and returns whether to go on
     * @return false when {@code pause} ended the run
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

    /** Adapts the size of the next batch, and returns how long to pause before it. */
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

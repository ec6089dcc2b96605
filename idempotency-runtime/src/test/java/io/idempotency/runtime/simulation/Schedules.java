package io.idempotency.runtime.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs one scenario in every possible way. A run makes its choices (which of the events that are due is next, how long a fault lasts) in a
 * fixed order; the next run makes the same ones up to the last that has an alternative left, and takes that.
 */
final class Schedules {

    /** What is due within it may happen in any order; timers are further apart. Messages take a thousandth of it. */
    static final Duration MOMENT = Duration.ofMillis(1);

    private static final Duration LATENCY = Duration.ofNanos(1000);

    /** What takes no longer is a message. */
    private static final Duration LONGEST_LATENCY = Duration.ofMillis(50);

    private static final double RARE = 0.2;
    private static final int JITTERS = 7;

    private Schedules() {}

    /** The choices of one run after the other. */
    static final class Choices extends Dice {

        private final List<int[]> made = new ArrayList<>();
        private int next;
        private boolean settled;
        private int fractions;

        Choices() {
            super(0);
        }

        @Override
        int below(int bound) {
            if (bound == 1 || settled) {
                settled = false;
                return 0;
            }
            if (next == made.size()) {
                made.add(new int[] {0, bound});
            }
            int[] choice = made.get(next++);
            if (choice[1] != bound) {
                throw new IllegalStateException(
                        "Two runs that chose alike differ: " + choice[1] + " ways, then " + bound);
            }
            return choice[0];
        }

        /** What is rare in a long run is left out here. */
        @Override
        boolean chance(double probability) {
            return probability > RARE && below(2) == 1;
        }

        /** Pauses of two nodes do not end in the same moment. */
        @Override
        double fraction() {
            return (fractions++ % JITTERS + 0.5) / JITTERS;
        }

        /** The shortest, and the longest where that is more than a message takes. */
        @Override
        Duration between(Duration shortest, Duration longest) {
            if (longest.compareTo(LONGEST_LATENCY) <= 0) {
                return LATENCY;
            }
            return below(2) == 0 ? shortest : longest;
        }

        /** The next choice is no choice: its alternatives are alike. */
        void firstIsSettled() {
            settled = true;
        }

        /** The next run is the same again. */
        void again() {
            next = 0;
            fractions = 0;
        }

        /** Goes on to the next run; false when there is none. */
        private boolean advance() {
            again();
            for (int last = made.size() - 1; last >= 0; last--) {
                int[] choice = made.get(last);
                if (++choice[0] < choice[1]) {
                    return true;
                }
                made.remove(last);
            }
            return false;
        }
    }

    /** Runs until there is no other way; returns how many runs there were. */
    static long all(Consumer<Choices> run) {
        Choices choices = new Choices();
        long runs = 0;
        do {
            run.accept(choices);
            runs++;
        } while (choices.advance());
        return runs;
    }
}

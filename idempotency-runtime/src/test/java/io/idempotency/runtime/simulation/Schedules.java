package io.idempotency.runtime.simulation;

import io.idempotency.runtime.engine.SteppedTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

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
    private static final int NODES = 4;

    private Schedules() {}

    /** One choice of a run. */
    private static final class Choice {
        private final List<Set<Object>> touched = new ArrayList<>();
        private int taken;

        Choice(int ways) {
            for (int i = 0; i < ways; i++) {
                touched.add(new HashSet<>());
            }
        }

        int ways() {
            return touched.size();
        }
    }

    /**
     * The choices of one run after the other. Of the orders that differ only in events that have nothing to do with each other, one is
     * taken (sleep sets: Patrice Godefroid, Partial-Order Methods for the Verification of Concurrent Systems, 1996). An event whose every
     * consequence was seen sleeps until something happens that it is not independent of: that touches what it touched. When all that is
     * due sleeps, the rest of the run would be the repetition of another one.
     */
    static final class Choices extends Dice {

        private final boolean reduces;
        private final List<Choice> made = new ArrayList<>();
        private final Map<Long, Set<Object>> asleep = new HashMap<>();
        private final Set<Object> touched = new HashSet<>();
        private @Nullable Choice ofEvent;
        private int next;
        private boolean settled;
        private boolean repeats;
        private int nodes;

        /**
         * Nothing is chosen yet.
         *
         * @param reduces whether orders that cannot make a difference are left out
         */
        Choices(boolean reduces) {
            super(0);
            this.reduces = reduces;
        }

        SteppedTime.@Nullable Event next(List<SteppedTime.Event> due) {
            eventEnds();
            List<SteppedTime.Event> awake = due.stream()
                    .filter(event -> !asleep.containsKey(event.number()))
                    .toList();
            repeats = awake.isEmpty();
            if (repeats) {
                return null;
            }
            int taken = 0;
            if (awake.size() > 1) {
                Choice choice = choice(awake.size());
                taken = choice.taken;
                ofEvent = choice;
                for (int i = 0; i < taken && reduces; i++) {
                    asleep.put(awake.get(i).number(), choice.touched.get(i));
                }
            }
            SteppedTime.Event event = awake.get(taken);
            touch(event.owner() == null ? this : event.owner());
            return event;
        }

        private void eventEnds() {
            if (ofEvent != null) {
                ofEvent.touched.get(ofEvent.taken).addAll(touched);
                ofEvent = null;
            }
            asleep.values().removeIf(other -> !Collections.disjoint(other, touched));
            touched.clear();
        }

        /** Each run has objects of its own for the same things. */
        @Override
        void touch(Object what) {
            touched.add(name(what));
        }

        private static String name(Object what) {
            return what instanceof SteppedTime.Owner
                    ? what.toString()
                    : what.getClass().getSimpleName();
        }

        private Choice choice(int ways) {
            if (next == made.size()) {
                made.add(new Choice(ways));
            }
            Choice choice = made.get(next++);
            if (choice.ways() != ways) {
                throw new IllegalStateException(
                        "Two runs that chose alike differ: " + choice.ways() + " ways, then " + ways);
            }
            return choice;
        }

        /** Whether the run was given up, because another one has the same outcome. */
        boolean repeats() {
            return repeats;
        }

        @Override
        int below(int bound) {
            if (bound == 1 || settled || repeats) {
                settled = false;
                return 0;
            }
            return choice(bound).taken;
        }

        /** What is rare in a long run is left out here. */
        @Override
        boolean chance(double probability) {
            return probability > RARE && below(2) == 1;
        }

        /** Pauses of two nodes do not end in the same moment. */
        @Override
        DoubleSupplier fractions() {
            double own = ++nodes / (double) NODES;
            AtomicInteger fractions = new AtomicInteger();
            return () -> (fractions.getAndIncrement() % JITTERS + own) / JITTERS;
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
            eventEnds();
            asleep.clear();
            next = 0;
            nodes = 0;
            repeats = false;
        }

        /** Goes on to the next run; false when there is none. */
        private boolean advance() {
            again();
            for (int last = made.size() - 1; last >= 0; last--) {
                Choice choice = made.get(last);
                if (++choice.taken < choice.ways()) {
                    return true;
                }
                made.remove(last);
            }
            return false;
        }
    }

    /** Runs until there is no other way; returns how many runs there were that are the repetition of no other one. */
    static long all(boolean reduced, Consumer<Choices> run) {
        Choices choices = new Choices(reduced);
        long runs = 0;
        do {
            run.accept(choices);
            runs += choices.repeats() ? 0 : 1;
        } while (choices.advance());
        return runs;
    }
}

package io.idempotency.runtime.simulation;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;

/** Every choice of one run. The same seed makes the same choices. */
class Dice {

    private final SplittableRandom random;

    Dice(long seed) {
        this.random = new SplittableRandom(seed);
    }

    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    /** Random numbers below one, of a node's own. */
    DoubleSupplier fractions() {
        return random::nextDouble;
    }

    /** What happens now reads or changes it, and what else does must not change places with it. */
    void touch(Object what) {}

    @SafeVarargs
    final <T> T of(T... all) {
        return all[below(all.length)];
    }

    /** Between two spans, in microseconds. */
    Duration between(Duration shortest, Duration longest) {
        long least = shortest.toNanos() / 1000;
        return Duration.ofNanos(1000 * random.nextLong(least, 1 + Math.max(least, longest.toNanos() / 1000)));
    }

    /** Between two multiples of the lease. */
    Duration leases(double least, double most) {
        return between(Plan.leases(least), Plan.leases(most));
    }
}

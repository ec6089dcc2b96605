package io.idempotency.runtime.config;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts by one number: the time at which all that was granted will have been earned again. One grant costs a share of the
 * window, and as many as fit into the window may be granted at once. Grants are counted after they were made, so calls under way
 * together may go beyond the limit by their number.
 */
final class KeyBudget {

    private final AtomicLong earnedAgain;

    KeyBudget(long now) {
        this.earnedAgain = new AtomicLong(now);
    }

    /** How long until the next grant is permitted, not positive when it is now; all times are nanoseconds. */
    long waitAt(long now, long window, int most) {
        return earnedAgain.get() - now - window + window / most;
    }

    void granted(long now, long window, int most) {
        earnedAgain.updateAndGet(then -> (then - now > 0 ? then : now) + window / most);
    }

    /** Then it is as good as new. */
    boolean idleAt(long now) {
        return earnedAgain.get() - now <= 0;
    }
}

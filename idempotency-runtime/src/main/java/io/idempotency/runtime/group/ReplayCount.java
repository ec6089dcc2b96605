package io.idempotency.runtime.group;

import io.idempotency.runtime.store.ClaimResult;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tells whether most of the latest claims were replays. Then a claim begins with a look, which answers a replay at less
 * cost, and costs other calls one round trip more. Counts up with each replay and down with each other call. Thread-safe.
 */
public final class ReplayCount {

    private static final int MANY = 64;

    private final AtomicInteger count = new AtomicInteger();

    public boolean prevail() {
        return count.get() > MANY / 2;
    }

    /** Counts the answer to a claim, and returns it. */
    public ClaimResult counted(ClaimResult answer) {
        boolean replay =
                answer instanceof ClaimResult.Duplicate found && found.record().hasOutcome();
        count.updateAndGet(now -> replay ? Math.min(MANY, now + 1) : Math.max(0, now - 1));
        return answer;
    }
}

package io.idempotency.runtime.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the calls that claim or run a body, and admits no new call once closed. Thread-safe: the count and the closed
 * flag are one value, so that no call enters between the last check and the closing.
 */
final class InFlightGate {

    private static final int CLOSED = Integer.MIN_VALUE;
    private static final int NUMBER = Integer.MAX_VALUE;

    private final AtomicInteger state = new AtomicInteger();
    private final CompletableFuture<Void> empty = new CompletableFuture<>();

    /**
     * Admits a call, which then has to {@link #leave}; returns false when it must not claim. A closed gate still admits a
     * nested call, which a running body makes, so that the body can end.
     */
    boolean enter(boolean nested) {
        int before = state.getAndUpdate(now -> admits(now, nested) ? now + 1 : now);
        return admits(before, nested);
    }

    private static boolean admits(int state, boolean nested) {
        return (state & CLOSED) == 0 || nested && (state & NUMBER) > 0;
    }

    void leave() {
        if (state.decrementAndGet() == CLOSED) {
            empty.complete(null);
        }
    }

    /** Closes the gate. Returns a future that completes when no call is inside any more. */
    CompletableFuture<Void> close() {
        if (state.updateAndGet(now -> now | CLOSED) == CLOSED) {
            empty.complete(null);
        }
        return empty;
    }

    int inside() {
        return state.get() & NUMBER;
    }
}

package io.idempotency.runtime.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the calls that claim or run a body, and admits no new call once it is closed. Thread-safe: number and sign are one value, so
 * that no call slips in between the last look and the closing.
 */
final class InFlightGate {

    private static final int CLOSED = Integer.MIN_VALUE;
    private static final int NUMBER = Integer.MAX_VALUE;

    private final AtomicInteger state = new AtomicInteger();
    private final CompletableFuture<Void> empty = new CompletableFuture<>();

    /**
     * Lets a call in.
     *
     * @param nested whether it is part of a body that runs, and would be missing there
     * @return false when it is not to claim; otherwise it leaves in the end
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

    /** Completes when no call is inside any more. */
    CompletionStage<Void> close() {
        if (state.updateAndGet(now -> now | CLOSED) == CLOSED) {
            empty.complete(null);
        }
        return empty;
    }

    int inside() {
        return state.get() & NUMBER;
    }
}

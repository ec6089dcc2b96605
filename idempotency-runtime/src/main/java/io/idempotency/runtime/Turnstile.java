package io.idempotency.runtime;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the calls that claim or run, and lets no new one in once it is closed. Thread-safe. */
final class Turnstile {

    private final AtomicInteger inside = new AtomicInteger();
    private final CompletableFuture<Void> empty = new CompletableFuture<>();
    private volatile boolean closed;

    /**
     * Lets a call in.
     *
     * @param nested whether it is part of a body that runs, and would be missing there
     * @return false when it is not to claim; otherwise it leaves in the end
     */
    boolean enter(boolean nested) {
        int others = inside.getAndIncrement();
        if (!closed || nested && others > 0) { // counted first: either this call sees the closing, or it is waited for
            return true;
        }
        leave();
        return false;
    }

    void leave() {
        if (inside.decrementAndGet() == 0 && closed) {
            empty.complete(null);
        }
    }

    /** Completes when nobody is inside any more. */
    CompletionStage<Void> close() {
        closed = true;
        if (inside.get() == 0) {
            empty.complete(null);
        }
        return empty;
    }

    int inside() {
        return inside.get();
    }
}

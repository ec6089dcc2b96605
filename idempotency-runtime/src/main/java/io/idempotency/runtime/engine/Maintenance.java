package io.idempotency.runtime.engine;

import io.idempotency.runtime.store.IdempotencyStore;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;

/**
 * The library's own threads, two for each store: one renews leases while the other records outcomes that the store did
 * not take at once, or that no other thread was free for. Bodies and callers do not use them up, and a store that hangs
 * delays only its own threads. Thread-safe.
 */
@FunctionalInterface
public interface Maintenance {

    /**
     * Runs a task for a store after a delay; as soon as possible if it is not positive. The task may block for as long as one
     * call of the store takes.
     *
     * @throws RejectedExecutionException when the application shuts down
     */
    void after(IdempotencyStore store, Duration delay, Runnable task);

    /** As {@link #after}, on the thread that only renews. */
    default void renewal(IdempotencyStore store, Duration delay, Runnable task) {
        after(store, delay, task);
    }
}

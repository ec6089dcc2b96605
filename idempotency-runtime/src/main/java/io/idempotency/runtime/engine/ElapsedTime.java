package io.idempotency.runtime.engine;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The one clock of leases, waits and retention in the engine and the memory store. The engine's threads also wait by
 * this clock, so a test that skips time skips it everywhere. Implementations are thread-safe.
 */
@FunctionalInterface
public interface ElapsedTime {

    /** Returns nanoseconds since an arbitrary origin, like {@link System#nanoTime()}; never decreases. */
    long nanos();

    /** Blocks the calling thread until an event completes, even exceptionally, or so many nanoseconds have passed. */
    default void await(CompletableFuture<?> event, long nanos) throws InterruptedException {
        try {
            event.get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException | CancellationException e) {
            // the caller checks the event and the time itself
        }
    }

    /**
     * Registers an action that runs after each skip of time, on the thread that skips; it must not block. A clock that
     * never skips ignores it.
     */
    default void whenSkipped(Runnable look) {}
}

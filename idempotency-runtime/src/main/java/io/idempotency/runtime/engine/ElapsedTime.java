package io.idempotency.runtime.engine;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The clock of leases, waits and retention in the engine and the memory store, in which the engine's threads wait too: one clock for
 * all, so that a test that skips time skips it everywhere. Implementations are thread-safe.
 */
@FunctionalInterface
public interface ElapsedTime {

    /**
     * Returns the elapsed time.
     *
     * @return nanoseconds from an arbitrary origin, as {@link System#nanoTime()}; never going back
     */
    long nanos();

    /**
     * Blocks the calling thread until something has happened, or until some time has passed.
     *
     * @param event completes, or fails, when it happens
     * @param nanos how long to wait at most, in nanoseconds
     * @throws InterruptedException when the thread is interrupted
     */
    default void await(CompletableFuture<?> event, long nanos) throws InterruptedException {
        try {
            event.get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException | CancellationException e) {
            // its caller looks at the event and at the time
        }
    }

    /**
     * Registers an action for each time that some of the time is skipped.
     *
     * @param look called after each skip, on the thread that skips; does not block
     */
    default void whenSkipped(Runnable look) {}
}

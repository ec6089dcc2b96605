package io.idempotency.runtime.engine;

/**
 * The time by which the engine and the store in memory measure leases, waits and retention: one for both, so that a test that
 * skips some of it skips all of it. Implementations are thread-safe.
 */
@FunctionalInterface
public interface ElapsedTime {

    /**
     * Elapsed time.
     *
     * @return nanoseconds from an arbitrary origin, as {@link System#nanoTime()}; never going back
     */
    long nanos();

    /**
     * Says who is to look at the time again when it is skipped.
     *
     * @param look called after each skip, on the thread that skips; does not block
     */
    default void whenSkipped(Runnable look) {}
}

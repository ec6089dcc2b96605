package io.idempotency.runtime.engine;

import java.time.Duration;

/** Runs short tasks later. Tests let the time pass themselves. Thread-safe. */
@FunctionalInterface
public interface DelayTimer {

    /**
     * Runs a task once.
     *
     * @param delay how long from now; zero or less for as soon as possible
     * @param task does not block
     * @return cancels the task if it has not started
     */
    Runnable after(Duration delay, Runnable task);
}

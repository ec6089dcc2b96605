package io.idempotency.runtime.engine;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;

/** Runs short tasks later. Tests let the time pass themselves. Thread-safe. */
public interface DelayTimer {

    /**
     * Runs a task once.
     *
     * @param delay how long from now; zero or less for as soon as possible
     * @param task does not block
     * @return cancels the task if it has not started
     * @throws RejectedExecutionException when the timer is closed
     */
    Runnable after(Duration delay, Runnable task);

    /**
     * Runs a task again and again, until it returns false or is cancelled. What it throws does not end that.
     *
     * @param period from the end of one run to the next, and before the first
     * @param task does not block; false when it is not to run again
     * @return cancels it
     * @throws RejectedExecutionException when the timer is closed
     */
    Runnable every(Duration period, BooleanSupplier task);
}

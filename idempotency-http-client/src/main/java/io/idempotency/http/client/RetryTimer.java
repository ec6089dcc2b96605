package io.idempotency.http.client;

import java.time.Duration;

/** Lets the time between two attempts pass. Thread-safe. */
interface RetryTimer {

    /** Holds a blocking caller up. */
    void pause(Duration delay) throws InterruptedException;

    /**
     * Goes on later, on a thread that may block.
     *
     * @return cancels the task if it has not started
     */
    Runnable after(Duration delay, Runnable task);
}

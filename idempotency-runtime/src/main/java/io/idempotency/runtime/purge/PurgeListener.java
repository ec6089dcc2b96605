package io.idempotency.runtime.purge;

import java.time.Duration;

/** Is notified of what a purge run removed. Thread-safe. */
@FunctionalInterface
public interface PurgeListener {

    /** Reports a batch, also one that removed nothing. */
    void onBatch(String store, Duration took, int removed);

    /**
     * Reports the end of a run.
     *
     * @param took the time from the beginning of the run to its end, with the pauses between batches
     */
    default void onRun(String store, Duration took) {}
}

package io.idempotency.runtime.purge;

import java.time.Duration;

/** Is told what a run removed. Thread-safe. */
@FunctionalInterface
public interface PurgeListener {

    /** A batch was removed. */
    void onPurged(String store, int records);

    /** A store was asked to remove a batch. */
    default void onBatch(String store, Duration took) {}

    /**
     * A run is over.
     *
     * @param took from its beginning to its last batch, with the pauses between
     */
    default void onRun(String store, Duration took) {}
}

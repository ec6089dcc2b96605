package io.idempotency.runtime.purge;

/** Is told what a run removed. Thread-safe. */
@FunctionalInterface
public interface PurgeListener {

    /**
     * A batch was removed.
     *
     * @param store the store's name
     * @param records how many
     */
    void onPurged(String store, int records);
}

package io.idempotency.runtime.near;

/** Is told of replays that did not ask their store. Thread-safe. */
@FunctionalInterface
public interface NearCacheListener {

    /**
     * A duplicate was answered with a record that this node remembers.
     *
     * @param store the store's name
     */
    void onHit(String store);
}

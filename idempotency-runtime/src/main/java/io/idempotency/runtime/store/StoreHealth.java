package io.idempotency.runtime.store;

import java.util.Map;

/**
 * A store's report of its health.
 *
 * @param usable whether the store takes claims
 * @param details for people, for instance the durability that was required and the one that was found
 */
public record StoreHealth(boolean usable, Map<String, String> details) {

    /** Copies the map. */
    public StoreHealth {
        details = Map.copyOf(details);
    }
}

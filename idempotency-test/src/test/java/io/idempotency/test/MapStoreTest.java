package io.idempotency.test;

import io.idempotency.runtime.store.IdempotencyStore;
import java.util.concurrent.ConcurrentHashMap;

/** The example of docs/writing-a-store.md keeps the contract. */
// tag::test[]
final class MapStoreTest extends VirtualTimeTck {

    private final IdempotencyStore store = new MapStore(new ConcurrentHashMap<>(), clock);

    @Override
    protected IdempotencyStore store() {
        return store;
    }
}
// end::test[]

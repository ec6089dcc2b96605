package io.idempotency.test;

import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.store.IdempotencyStore;

final class MemoryStoreInVirtualTimeTest extends VirtualTimeTck {

    private final IdempotencyStore store = new MemoryIdempotencyStore(clock);

    @Override
    protected IdempotencyStore store() {
        return store;
    }
}

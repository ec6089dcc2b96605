package io.idempotency.test;

import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.store.IdempotencyStore;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** With real time: what a store without a clock of its own has to override is nothing. */
@Execution(ExecutionMode.CONCURRENT)
final class MemoryStoreTest extends IdempotencyStoreTck {

    private final IdempotencyStore store = new MemoryIdempotencyStore();

    @Override
    protected IdempotencyStore store() {
        return store;
    }
}

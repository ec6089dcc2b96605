package io.idempotency.test;

import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.store.IdempotencyStore;
import java.time.Duration;
import java.time.Instant;

final class MemoryStoreInVirtualTimeTest extends IdempotencyStoreTck {

    private final VirtualClock clock = new VirtualClock();
    private final IdempotencyStore store = new MemoryIdempotencyStore(clock);

    @Override
    protected IdempotencyStore store() {
        return store;
    }

    @Override
    protected void timePasses(Duration duration) {
        clock.advance(duration);
    }

    @Override
    protected Instant storeTime() {
        return clock.instant();
    }
}

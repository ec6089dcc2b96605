package io.idempotency.test;

import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.store.IdempotencyStore;
import java.time.Duration;
import java.time.Instant;

/** The contract, put to a store that breaks it. Run by {@link TckHasTeethTest} only. */
abstract class BrokenTck extends IdempotencyStoreTck {

    private final VirtualClock clock = new VirtualClock();
    private final IdempotencyStore store = broken(new MemoryIdempotencyStore(clock));

    abstract IdempotencyStore broken(IdempotencyStore sound);

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

    static final class NotAtAll extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return sound;
        }
    }
}

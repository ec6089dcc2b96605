package io.idempotency.test.contract;

import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.test.VirtualTimeTck;
import java.time.Duration;

/** The contract, put to a store that breaks it. Run by {@link TckHasTeethTest} only. */
abstract class BrokenTck extends VirtualTimeTck {

    private final IdempotencyStore store = broken(new MemoryIdempotencyStore(clock));

    abstract IdempotencyStore broken(IdempotencyStore sound);

    @Override
    protected IdempotencyStore store() {
        return store;
    }

    /** What a broken store does not say it never says. */
    @Override
    protected Duration signalsWithin() {
        return Duration.ofMillis(200);
    }

    static final class NotAtAll extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return sound;
        }

        /** A sound one may take its time on a busy machine. */
        @Override
        protected Duration signalsWithin() {
            return Duration.ofSeconds(10);
        }
    }
}

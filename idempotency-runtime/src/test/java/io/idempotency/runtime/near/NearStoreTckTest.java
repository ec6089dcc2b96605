package io.idempotency.runtime.near;

import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.test.IdempotencyStoreTck;
import io.idempotency.test.VirtualClock;
import java.time.Duration;
import java.time.Instant;

/** A store stays one with a near cache in front of it. */
final class NearStoreTckTest extends IdempotencyStoreTck {

    private final VirtualClock clock = new VirtualClock();
    private final Instant start = clock.instant();
    private final IdempotencyStore store = new NearStore(
            new MemoryIdempotencyStore(clock),
            1 << 20,
            Duration.ofDays(30),
            () -> Duration.between(start, clock.instant()).toNanos(),
            () -> {});

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

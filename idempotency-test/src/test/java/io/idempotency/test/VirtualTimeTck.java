package io.idempotency.test;

import java.time.Duration;
import java.time.Instant;

/** The contract for a store on a virtual clock: it takes no time. */
public abstract class VirtualTimeTck extends IdempotencyStoreTck {

    protected final VirtualClock clock = new VirtualClock();

    @Override
    protected void timePasses(Duration duration) {
        clock.advance(duration);
    }

    @Override
    protected Instant storeTime() {
        return clock.instant();
    }
}

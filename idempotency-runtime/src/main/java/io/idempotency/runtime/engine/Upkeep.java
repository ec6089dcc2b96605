package io.idempotency.runtime.engine;

import io.idempotency.runtime.store.IdempotencyStore;
import java.util.concurrent.Executor;

/**
 * The threads that keep the claims of stores alive. Each store has its own, which bodies and callers cannot use up and which are
 * there before they are needed: a store that hangs holds up only itself. Thread-safe.
 */
public interface Upkeep {

    /**
     * Renews leases.
     *
     * @param store of this store
     * @return runs one call of the store at a time in each of a few threads
     */
    Executor renewals(IdempotencyStore store);

    /**
     * Does what may wait: attempts to settle in the background, and telling a body that its claim is lost.
     *
     * @param store of this store
     * @return has threads of its own, so that it holds up no renewal
     */
    Executor retries(IdempotencyStore store);
}

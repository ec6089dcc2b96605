package io.idempotency.runtime.simulation;

import io.idempotency.runtime.engine.DelayTimer;
import io.idempotency.runtime.store.IdempotencyStore;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Puts something broken in the place of what the engine relies on. */
interface Sabotage {

    /** Nothing is broken. */
    Sabotage NONE = new Sabotage() {};

    /** The server. */
    default IdempotencyStore store(IdempotencyStore honest) {
        return honest;
    }

    /** How a node uses the server. */
    default IdempotencyStore connection(IdempotencyStore honest) {
        return honest;
    }

    default DelayTimer timer(DelayTimer honest) {
        return honest;
    }

    default LongSupplier nanoTime(LongSupplier honest) {
        return honest;
    }

    default Supplier<String> tokens(Supplier<String> honest) {
        return honest;
    }
}

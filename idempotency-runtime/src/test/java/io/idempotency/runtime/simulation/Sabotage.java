package io.idempotency.runtime.simulation;

import io.idempotency.runtime.engine.ElapsedTime;
import io.idempotency.runtime.engine.Maintenance;
import io.idempotency.runtime.store.IdempotencyStore;
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

    default Maintenance maintenance(Maintenance honest) {
        return honest;
    }

    default ElapsedTime time(ElapsedTime honest) {
        return honest;
    }

    default Supplier<String> tokens(Supplier<String> honest) {
        return honest;
    }
}

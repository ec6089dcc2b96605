package io.idempotency.runtime;

/** Gives out the derived keys of one run of a body, so that one key never stands for two intents. Thread-safe. */
public interface DerivedKeys {

    /**
     * A key for a downstream call.
     *
     * @param name tells the downstream calls of one body apart
     * @param intent what the call asks for, compared with {@code equals}
     * @return the same as {@link io.idempotency.IdempotencyContext#deriveKey(String)}
     * @throws IllegalStateException when this run already took the name's key for another intent
     */
    String deriveKey(String name, Object intent);
}

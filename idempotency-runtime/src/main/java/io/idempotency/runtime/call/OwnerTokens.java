package io.idempotency.runtime.call;

import java.util.function.Supplier;

/** Makes the owner token of a claim, of at most 64 characters: never the same twice on any node. Thread-safe. */
public interface OwnerTokens extends Supplier<String> {}

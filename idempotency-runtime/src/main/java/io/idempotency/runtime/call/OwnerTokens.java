package io.idempotency.runtime.call;

import java.util.function.Supplier;

/** Makes the token that a call claims its key with: never the same twice on any node, at most 64 characters. Thread-safe. */
public interface OwnerTokens extends Supplier<String> {}

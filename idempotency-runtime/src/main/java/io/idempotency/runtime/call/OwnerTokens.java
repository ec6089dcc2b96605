package io.idempotency.runtime.call;

import java.util.function.Supplier;

/** Makes owner tokens of claims, at most 64 characters long; no two claims of any node get the same. Thread-safe. */
public interface OwnerTokens extends Supplier<String> {}

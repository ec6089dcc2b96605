package io.idempotency.runtime;

import org.jspecify.annotations.Nullable;

/** Finds the caller of the current call, so that one caller's key never reaches another caller's result. */
@FunctionalInterface
public interface CallerResolver {

    /** Returns a stable name of the current caller; null for none, for instance outside a request. */
    @Nullable
    String currentCaller();
}

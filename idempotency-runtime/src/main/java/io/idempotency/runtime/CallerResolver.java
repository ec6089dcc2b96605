package io.idempotency.runtime;

import org.jspecify.annotations.Nullable;

/** Knows on whose behalf the current call is made, so that one caller's key never reaches another's result. */
@FunctionalInterface
public interface CallerResolver {

    /** A stable name of the current caller; null for none, for instance outside a request. */
    @Nullable
    String currentCaller();
}

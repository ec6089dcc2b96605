package io.idempotency.runtime;

import org.jspecify.annotations.Nullable;

/** Finds the tenant of the current call. */
@FunctionalInterface
public interface TenantResolver {

    /** Returns a stable name of the current tenant; null for none. */
    @Nullable
    String currentTenant();
}

package io.idempotency.runtime;

import org.jspecify.annotations.Nullable;

/** Knows the tenant of the current call. */
@FunctionalInterface
public interface TenantResolver {

    /** A stable name of the current tenant; null for none. */
    @Nullable
    String currentTenant();
}

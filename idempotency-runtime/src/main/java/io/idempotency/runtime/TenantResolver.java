package io.idempotency.runtime;

import org.jspecify.annotations.Nullable;

/** Knows the tenant of the current call. */
@FunctionalInterface
public interface TenantResolver {

    /**
     * The current tenant.
     *
     * @return a stable name; null for none
     */
    @Nullable
    String currentTenant();
}

package io.idempotency.runtime.config;

import io.idempotency.runtime.TenantResolver;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Secondary;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.multitenancy.exceptions.TenantNotFoundException;
import jakarta.inject.Singleton;
import java.util.List;

/** Returns the tenant that Micronaut Multitenancy finds, from the first of its resolvers that finds one. */
@Singleton
@Secondary
@Requires(classes = TenantNotFoundException.class)
@Requires(beans = io.micronaut.multitenancy.tenantresolver.TenantResolver.class)
final class MultitenancyResolver implements TenantResolver {

    private final List<io.micronaut.multitenancy.tenantresolver.TenantResolver> resolvers;

    MultitenancyResolver(List<io.micronaut.multitenancy.tenantresolver.TenantResolver> resolvers) {
        this.resolvers = List.copyOf(resolvers);
    }

    @Override
    public @Nullable String currentTenant() {
        for (io.micronaut.multitenancy.tenantresolver.TenantResolver resolver : resolvers) {
            try {
                return String.valueOf(resolver.resolveTenantIdentifier());
            } catch (TenantNotFoundException e) {
                // the next resolver may find it; outside a request none does, and such a call has no tenant
            }
        }
        return null;
    }
}

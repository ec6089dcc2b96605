package io.idempotency.runtime.config;

import io.idempotency.OtherCallers;
import io.idempotency.runtime.CallerResolver;
import io.idempotency.runtime.TenantResolver;
import io.idempotency.runtime.call.CallFingerprint;
import io.idempotency.runtime.call.NewKeyAdmission;
import io.idempotency.runtime.secrets.FingerprintForms;
import io.idempotency.runtime.secrets.IdentityDigests;
import io.idempotency.runtime.store.RecordId;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Secondary;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.multitenancy.exceptions.TenantNotFoundException;
import jakarta.inject.Singleton;
import java.util.List;

/** Makes a record's id from a key, the current tenant and the current caller. Thread-safe. */
@Singleton
public record KeyScope(
        @Nullable TenantResolver tenant,
        @Nullable CallerResolver caller,
        IdentityDigests digests,
        FingerprintForms forms,
        NewKeyLimits limits) {

    /** A call's record, its fingerprint, and whether its key may be new. */
    public record Scoped(RecordId id, CallFingerprint fingerprint, NewKeyAdmission admission) {}

    /** Returns, for operators, the record of a key in its canonical text; {@code of} is its caller, null for none. */
    public RecordId recordOf(String namespace, String key, @Nullable String of, OtherCallers others) {
        return RecordId.of(namespace, currentTenant(), others == OtherCallers.ISOLATE ? of : null, digests.key(key));
    }

    /**
     * Identifies a call of the current tenant and caller by its canonical key. Does not ask for the caller where all
     * callers share keys, unless callers have limits.
     */
    public Scoped of(String operation, String namespace, String key, CallFingerprint fingerprint, KeyPolicy keys) {
        String currentTenant = currentTenant();
        boolean isolated = keys.otherCallers() == OtherCallers.ISOLATE;
        RecordId id = RecordId.of(namespace, currentTenant, isolated ? currentCaller() : null, digests.key(key));
        RecordId counted = keys.maxNewKeysPerCaller() == 0
                ? null
                : RecordId.of("caller", currentTenant, currentCaller(), ""); // a name may be long, and it is kept
        return new Scoped(
                id,
                keys.otherCallers() == OtherCallers.FORBID ? marked(fingerprint, id) : fingerprint,
                limits.of(operation, keys, counted));
    }

    private CallFingerprint marked(CallFingerprint fingerprint, RecordId id) {
        String current = currentCaller();
        return current == null ? fingerprint : fingerprint.marked(form -> forms.callerMark(form, id, current));
    }

    private @Nullable String currentTenant() {
        return tenant == null ? null : tenant.currentTenant();
    }

    private @Nullable String currentCaller() {
        return caller == null ? null : caller.currentCaller();
    }

    /** Returns the tenant that Micronaut Multitenancy finds, from the first of its resolvers that finds one. */
    @Singleton
    @Secondary
    @Requires(classes = TenantNotFoundException.class)
    @Requires(beans = io.micronaut.multitenancy.tenantresolver.TenantResolver.class)
    record MultitenancyResolver(List<io.micronaut.multitenancy.tenantresolver.TenantResolver> resolvers)
            implements TenantResolver {

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
}

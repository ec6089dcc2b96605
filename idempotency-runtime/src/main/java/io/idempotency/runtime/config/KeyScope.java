package io.idempotency.runtime.config;

import io.idempotency.OtherCallers;
import io.idempotency.runtime.CallerResolver;
import io.idempotency.runtime.TenantResolver;
import io.idempotency.runtime.call.CallFingerprint;
import io.idempotency.runtime.call.NewKeyAdmission;
import io.idempotency.runtime.secrets.FingerprintForms;
import io.idempotency.runtime.secrets.IdentityDigests;
import io.idempotency.runtime.store.RecordId;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;

/** Makes the id of a record of a key, the current tenant and the current caller. Thread-safe. */
@Singleton
public final class KeyScope {

    private final @Nullable TenantResolver tenant;
    private final @Nullable CallerResolver caller;
    private final IdentityDigests digests;
    private final FingerprintForms forms;
    private final NewKeyLimits limits;

    KeyScope(
            @Nullable TenantResolver tenant,
            @Nullable CallerResolver caller,
            IdentityDigests digests,
            FingerprintForms forms,
            NewKeyLimits limits) {
        this.tenant = tenant;
        this.caller = caller;
        this.digests = digests;
        this.forms = forms;
        this.limits = limits;
    }

    /** Which record a call is about. */
    public record Scoped(RecordId id, CallFingerprint fingerprint, NewKeyAdmission admission) {}

    /**
     * The record, for the current tenant, of a key that another caller sent: for operators.
     *
     * @param key its canonical text
     * @param of who sent it, null for no caller
     */
    public RecordId recordOf(String namespace, String key, @Nullable String of, OtherCallers others) {
        return RecordId.of(namespace, currentTenant(), others == OtherCallers.ISOLATE ? of : null, digests.key(key));
    }

    /**
     * Identifies a call of the current tenant and caller. The caller is not asked for where all
     * callers share keys, unless callers have limits.
     *
     * @param key its canonical text
     */
    public Scoped of(String operation, String namespace, String key, CallFingerprint fingerprint, KeyPolicy keys) {
        String currentTenant = currentTenant();
        boolean isolated = keys.otherCallers() == OtherCallers.ISOLATE;
        RecordId id = RecordId.of(namespace, currentTenant, isolated ? currentCaller() : null, digests.key(key));
        RecordId counted = keys.maxNewKeysPerCaller() == 0
                ? null
                : RecordId.of("caller", currentTenant, currentCaller(), ""); // a name may be long, and be kept for long
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
}

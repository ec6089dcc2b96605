package io.idempotency.runtime.config;

import io.idempotency.OtherCallers;
import io.idempotency.runtime.CallerResolver;
import io.idempotency.runtime.TenantResolver;
import io.idempotency.runtime.engine.CallerMark;
import io.idempotency.runtime.store.RecordId;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;

/** Whose key it is: makes the record's identity of a key, the current tenant and the current caller. Thread-safe. */
@Singleton
public final class KeyScope {

    private final @Nullable TenantResolver tenant;
    private final @Nullable CallerResolver caller;

    KeyScope(@Nullable TenantResolver tenant, @Nullable CallerResolver caller) {
        this.tenant = tenant;
        this.caller = caller;
    }

    /**
     * Which record a call is about.
     *
     * @param id the record
     * @param fingerprint what to claim it with
     */
    public record Scoped(RecordId id, String fingerprint) {}

    /**
     * The record of a key that somebody else sent, for operators.
     *
     * @param namespace what the key is unique in
     * @param key its canonical text
     * @param of who sent it, null for nobody
     * @param others what the key means that another caller uses too
     * @return its record for the current tenant
     */
    public RecordId recordOf(String namespace, String key, @Nullable String of, OtherCallers others) {
        String currentTenant = tenant == null ? null : tenant.currentTenant();
        return RecordId.of(namespace, currentTenant, others == OtherCallers.ISOLATE ? of : null, key);
    }

    /**
     * Identifies a call of the current tenant and caller.
     *
     * @param namespace what the key is unique in
     * @param key its canonical text
     * @param fingerprint the arguments'
     * @param others what the key means that another caller uses too
     * @return its record
     */
    public Scoped of(String namespace, String key, String fingerprint, OtherCallers others) {
        String currentTenant = tenant == null ? null : tenant.currentTenant();
        String currentCaller = caller == null ? null : caller.currentCaller();
        return switch (others) {
            case ISOLATE -> new Scoped(RecordId.of(namespace, currentTenant, currentCaller, key), fingerprint);
            case FORBID -> {
                RecordId id = RecordId.of(namespace, currentTenant, null, key);
                yield new Scoped(id, CallerMark.on(fingerprint, id, currentCaller));
            }
        };
    }
}

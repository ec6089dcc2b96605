package io.idempotency.jdbc;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.micronaut.context.ApplicationContext;
import io.micronaut.inject.qualifiers.Qualifiers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** Applications with a JDBC store, and claims to put into it. */
final class Stores {

    static final Duration LEASE = Duration.ofSeconds(30);
    static final Duration RETENTION = Duration.ofDays(1);

    private Stores() {}

    static ApplicationContext h2(Object... more) {
        return application("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "", more);
    }

    static ApplicationContext application(String url, String user, String password, Object... more) {
        Map<String, Object> properties = new HashMap<>(Map.of(
                "datasources.default.url", url,
                "datasources.default.username", user,
                "datasources.default.password", password));
        for (int i = 0; i < more.length; i += 2) {
            properties.put((String) more[i], more[i + 1]);
        }
        return ApplicationContext.run(properties, "test");
    }

    static IdempotencyStore of(ApplicationContext application) {
        return application.getBean(IdempotencyStore.class, Qualifiers.byName("jdbc"));
    }

    static Claim claim(String key) {
        return claim(key, LEASE, RETENTION, false);
    }

    static Claim claim(String key, Duration lease, Duration retention, boolean takeOver) {
        RecordId id = RecordId.of("test", null, null, key);
        return new Claim(id, "charge", "fp", UUID.randomUUID().toString(), lease, retention, takeOver);
    }

    static Ownership own(IdempotencyStore store, Claim claim) {
        return new Ownership(claim.id(), claim.owner(), acquired(store, claim).fence());
    }

    static ClaimResult.Acquired acquired(IdempotencyStore store, Claim claim) {
        return (ClaimResult.Acquired) answer(store, claim);
    }

    static ClaimResult answer(IdempotencyStore store, Claim claim) {
        return store.claim(claim).toCompletableFuture().join();
    }
}

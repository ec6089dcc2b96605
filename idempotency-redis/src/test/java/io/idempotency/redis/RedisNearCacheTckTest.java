package io.idempotency.redis;

import io.idempotency.runtime.config.Stores;
import io.idempotency.runtime.store.IdempotencyStore;

/** The contract with a near cache in front of Redis. */
final class RedisNearCacheTckTest extends RedisStoreTckTest {

    @Override
    String[] settings() {
        return new String[] {"idempotency.near-cache.enabled", "true"};
    }

    @Override
    protected IdempotencyStore store() {
        return application().context().getBean(Stores.class).standard();
    }
}

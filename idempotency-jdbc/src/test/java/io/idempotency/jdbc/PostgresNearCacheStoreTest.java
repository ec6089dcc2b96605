package io.idempotency.jdbc;

/** The contract with a near cache in front of PostgreSQL. */
final class PostgresNearCacheStoreTest extends PostgresStoreTck {
    PostgresNearCacheStoreTest() {
        super("", "datasources.default.maximum-pool-size", 16, "idempotency.near-cache.enabled", true);
    }
}

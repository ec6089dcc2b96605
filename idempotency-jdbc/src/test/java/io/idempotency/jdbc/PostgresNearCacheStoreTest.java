package io.idempotency.jdbc;

/** The contract with a near cache in front of PostgreSQL. */
final class PostgresNearCacheStoreTest extends PostgresStoreTck {
    PostgresNearCacheStoreTest() {
        super("", true);
    }
}

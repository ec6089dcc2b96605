package io.idempotency.jdbc;

final class PostgresCombinedStoreTest extends PostgresStoreTck {
    PostgresCombinedStoreTest() {
        super("", COMBINED);
    }
}

package io.idempotency.jdbc;

final class PostgresStoreTest extends PostgresStoreTck {
    PostgresStoreTest() {
        super("");
    }
}

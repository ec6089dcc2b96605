package io.idempotency.jdbc;

final class PostgresRepeatableReadStoreTest extends PostgresStoreTck {
    PostgresRepeatableReadStoreTest() {
        super(REPEATABLE_READ);
    }
}

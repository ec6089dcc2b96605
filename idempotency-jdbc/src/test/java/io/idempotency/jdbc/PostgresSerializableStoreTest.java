package io.idempotency.jdbc;

final class PostgresSerializableStoreTest extends PostgresStoreTck {
    PostgresSerializableStoreTest() {
        super(SERIALIZABLE);
    }
}

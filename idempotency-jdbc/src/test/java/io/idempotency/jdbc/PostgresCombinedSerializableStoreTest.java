package io.idempotency.jdbc;

final class PostgresCombinedSerializableStoreTest extends PostgresStoreTck {
    PostgresCombinedSerializableStoreTest() {
        super(SERIALIZABLE, COMBINED);
    }
}

package io.idempotency.jdbc;

final class PostgresSerializableStoreTest extends PostgresStoreTck {
    PostgresSerializableStoreTest() {
        super("?options=-c%20default_transaction_isolation=serializable");
    }
}

package io.idempotency.jdbc;

final class PostgresRepeatableReadStoreTest extends PostgresStoreTck {
    PostgresRepeatableReadStoreTest() {
        super("?options=-c%20default_transaction_isolation=repeatable%5C%20read");
    }
}

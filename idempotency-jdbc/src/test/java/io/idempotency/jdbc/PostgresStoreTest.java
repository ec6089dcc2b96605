package io.idempotency.jdbc;

import org.junit.jupiter.api.Tag;

@Tag("any-jdk")
final class PostgresStoreTest extends PostgresStoreTck {
    PostgresStoreTest() {
        super("");
    }
}

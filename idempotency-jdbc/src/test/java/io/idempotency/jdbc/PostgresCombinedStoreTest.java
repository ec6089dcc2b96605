package io.idempotency.jdbc;

import org.junit.jupiter.api.Tag;

@Tag("any-jdk")
final class PostgresCombinedStoreTest extends PostgresStoreTck {
    PostgresCombinedStoreTest() {
        super("", COMBINED);
    }
}

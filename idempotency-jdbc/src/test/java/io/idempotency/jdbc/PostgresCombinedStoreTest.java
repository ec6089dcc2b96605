package io.idempotency.jdbc;

import org.junit.jupiter.api.Tag;

@Tag("thorough")
final class PostgresCombinedStoreTest extends PostgresStoreTck {
    PostgresCombinedStoreTest() {
        super("", COMBINED);
    }
}

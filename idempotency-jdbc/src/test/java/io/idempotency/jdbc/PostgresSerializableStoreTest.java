package io.idempotency.jdbc;

import org.junit.jupiter.api.Tag;

@Tag("thorough")
final class PostgresSerializableStoreTest extends PostgresStoreTck {
    PostgresSerializableStoreTest() {
        super(SERIALIZABLE);
    }
}

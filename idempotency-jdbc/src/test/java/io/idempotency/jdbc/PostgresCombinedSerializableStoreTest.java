package io.idempotency.jdbc;

import org.junit.jupiter.api.Tag;

/** And with a setting of the driver by which the server has to find out of what type a text is. */
@Tag("thorough")
final class PostgresCombinedSerializableStoreTest extends PostgresStoreTck {
    PostgresCombinedSerializableStoreTest() {
        super(SERIALIZABLE + "&stringtype=unspecified", COMBINED);
    }
}

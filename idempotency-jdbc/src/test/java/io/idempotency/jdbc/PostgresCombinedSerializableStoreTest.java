package io.idempotency.jdbc;

/** And with a setting of the driver by which the server has to find out of what type a text is. */
final class PostgresCombinedSerializableStoreTest extends PostgresStoreTck {
    PostgresCombinedSerializableStoreTest() {
        super(SERIALIZABLE + "&stringtype=unspecified", COMBINED);
    }
}

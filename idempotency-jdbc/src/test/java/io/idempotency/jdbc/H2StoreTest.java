package io.idempotency.jdbc;

import org.junit.jupiter.api.Tag;

@Tag("any-jdk")
final class H2StoreTest extends JdbcStoreTck {
    H2StoreTest() {
        super(
                Place.h2(),
                "DATEDIFF(MILLISECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00', CURRENT_TIMESTAMP AT TIME ZONE '+00')");
    }
}

package io.idempotency.jdbc;

import org.junit.jupiter.api.Tag;

/** The contract on MariaDB. */
@Tag("mariadb")
final class MariaDbStoreTest extends JdbcStoreTck {
    MariaDbStoreTest() {
        super(
                Place.mariaDb("mariadb"),
                "TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) DIV 1000");
    }
}

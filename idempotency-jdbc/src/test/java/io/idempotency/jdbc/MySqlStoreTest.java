package io.idempotency.jdbc;

import org.junit.jupiter.api.Tag;

/** The contract in the statements for MySQL, which a MariaDB server runs behind MySQL's driver. */
@Tag("thorough")
@Tag("mariadb")
final class MySqlStoreTest extends JdbcStoreTck {
    MySqlStoreTest() {
        super(Place.mySql(), "TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) DIV 1000");
    }
}

package io.idempotency.jdbc;

import org.junit.jupiter.api.Tag;

/** The contract on MariaDB as it is by default since 11.6: a row that changed since the snapshot is refused with error 1020. */
@Tag("mariadb")
@Tag("thorough")
final class MariaDbSnapshotIsolationStoreTest extends JdbcStoreTck {
    MariaDbSnapshotIsolationStoreTest() {
        super(
                Place.mariaDbWithSnapshotIsolation("mariadb"),
                "TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) DIV 1000");
    }
}

package io.idempotency.jdbc;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Errors 1114 (the table is full) and 1021 (the disk is full), through both drivers. */
@Tag("thorough")
@Tag("mariadb")
class MariaDbFullDiskTest {

    private static FullServer full(String driver, int error) {
        Place place = Place.mariaDb(driver);
        return new FullServer(
                place,
                // a claim of a key that is there updates it too, but changes nothing
                "CREATE TRIGGER full_" + place.table() + " BEFORE UPDATE ON " + place.table() + " FOR EACH ROW BEGIN"
                        + " IF NOT (NEW.state = OLD.state AND NEW.lease_until_ms = OLD.lease_until_ms"
                        + " AND NEW.expires_at_ms = OLD.expires_at_ms)"
                        + " THEN SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = " + error + "; END IF; END",
                "DROP TRIGGER full_" + place.table());
    }

    @ParameterizedTest
    @CsvSource({"mariadb, 1114", "mariadb, 1021", "mysql, 1114", "mysql, 1021"})
    void everyVerbFailsAndTheRecordStaysItsOwners(String driver, int error) {
        full(driver, error).everyVerbFailsAndTheRecordStaysItsOwners();
    }

    @ParameterizedTest
    @CsvSource({"mariadb, 1114", "mariadb, 1021", "mysql, 1114", "mysql, 1021"})
    void theOutcomeIsRecordedOnceThereIsRoomAndTheBodyRunsOnce(String driver, int error) {
        full(driver, error).theOutcomeIsRecordedOnceThereIsRoomAndTheBodyRunsOnce();
    }
}

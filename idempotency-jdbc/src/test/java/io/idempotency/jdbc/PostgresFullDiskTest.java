package io.idempotency.jdbc;

import org.junit.jupiter.api.Test;

/** SQLState 53100. */
class PostgresFullDiskTest {

    private final FullServer server = full(Place.postgres());

    private static FullServer full(Place place) {
        String table = place.table();
        return new FullServer(
                place,
                "CREATE FUNCTION full_" + table + "() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION"
                        + " 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;"
                        + " CREATE TRIGGER full_disk BEFORE UPDATE ON " + table
                        + " FOR EACH ROW EXECUTE FUNCTION full_" + table + "()",
                "DROP FUNCTION full_" + table + " CASCADE");
    }

    @Test
    void everyVerbFailsAndTheRecordStaysItsOwners() {
        server.everyVerbFailsAndTheRecordStaysItsOwners();
    }

    @Test
    void theOutcomeIsRecordedOnceThereIsRoomAndTheBodyRunsOnce() {
        server.theOutcomeIsRecordedOnceThereIsRoomAndTheBodyRunsOnce();
    }
}

package io.idempotency.jdbc;

import org.junit.jupiter.api.Tag;

/**
 * At this level a statement sees what was there before it, and on this server a millisecond passes between any two readings
 * of the clock, also within one statement: what a statement writes twice must not come from two readings.
 */
@Tag("thorough")
final class PostgresRepeatableReadStoreTest extends PostgresStoreTck {

    private static final String SLOW = """
            CREATE SCHEMA IF NOT EXISTS slow;
            CREATE OR REPLACE FUNCTION slow.clock_timestamp() RETURNS timestamptz VOLATILE LANGUAGE plpgsql AS
            'BEGIN PERFORM pg_sleep(0.001); RETURN pg_catalog.clock_timestamp(); END'
            """;

    PostgresRepeatableReadStoreTest() {
        super(REPEATABLE_READ + slow());
    }

    private static String slow() {
        Place.postgres().run(SLOW);
        return "%20-c%20search_path=slow,pg_catalog,public";
    }
}

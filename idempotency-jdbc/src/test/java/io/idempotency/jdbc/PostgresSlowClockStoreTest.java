package io.idempotency.jdbc;

/**
 * The contract on a PostgreSQL on which a millisecond passes between any two readings of its clock, also within one
 * statement: what a statement writes twice must not come from two readings.
 */
final class PostgresSlowClockStoreTest extends PostgresStoreTck {

    private static final String SLOW = """
            CREATE SCHEMA IF NOT EXISTS slow;
            CREATE OR REPLACE FUNCTION slow.clock_timestamp() RETURNS timestamptz VOLATILE LANGUAGE plpgsql AS
            'BEGIN PERFORM pg_sleep(0.001); RETURN pg_catalog.clock_timestamp(); END'
            """;

    PostgresSlowClockStoreTest() {
        super(slow());
    }

    private static String slow() {
        Place.postgres().run(SLOW);
        return "?options=-c%20search_path=slow,pg_catalog,public";
    }
}

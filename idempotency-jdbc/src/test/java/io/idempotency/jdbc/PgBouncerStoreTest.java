package io.idempotency.jdbc;

import org.junit.jupiter.api.Tag;

/**
 * The contract behind PgBouncer in transaction mode, where every statement may run on another server connection: prepared
 * statements included, and with waiters that find out by themselves because {@code LISTEN} proves that it does not hear. Run
 * on demand: {@code docs/jdbc.md} says how.
 */
@Tag("pgbouncer")
final class PgBouncerStoreTest extends JdbcStoreTck {

    PgBouncerStoreTest() {
        super(
                new Place(
                        System.getProperty(
                                "idempotency.test.pgbouncer.url", "jdbc:postgresql://127.0.0.1:6432/postgres"),
                        System.getProperty("idempotency.test.pgbouncer.user", "postgres"),
                        System.getProperty("idempotency.test.pgbouncer.password", ""),
                        Place.fresh()),
                "(extract(epoch FROM clock_timestamp()) * 1000)::bigint");
    }

    @Override
    protected boolean tellsWaiters() {
        return false;
    }
}

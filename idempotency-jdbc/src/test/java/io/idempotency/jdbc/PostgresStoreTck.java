package io.idempotency.jdbc;

/** The contract on PostgreSQL. */
abstract class PostgresStoreTck extends JdbcStoreTck {

    PostgresStoreTck(String urlSuffix) {
        super(Place.postgres().with(urlSuffix), "(extract(epoch FROM clock_timestamp()) * 1000)::bigint");
    }
}

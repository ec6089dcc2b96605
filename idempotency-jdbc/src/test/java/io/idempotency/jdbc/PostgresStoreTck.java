package io.idempotency.jdbc;

/** The contract on PostgreSQL. */
abstract class PostgresStoreTck extends JdbcStoreTck {

    static final String REPEATABLE_READ = "?options=-c%20default_transaction_isolation=repeatable%5C%20read";
    static final String SERIALIZABLE = "?options=-c%20default_transaction_isolation=serializable";

    /** What is sent for many is, as soon as one caller waits for the one connection, which serves many tests at once. */
    static final Object[] COMBINED = {"idempotency.jdbc.pool-size", 1, "idempotency.jdbc.command-timeout", "30s"};

    PostgresStoreTck(String urlSuffix, Object... properties) {
        super(Place.postgres().with(urlSuffix), "(extract(epoch FROM clock_timestamp()) * 1000)::bigint", properties);
    }
}

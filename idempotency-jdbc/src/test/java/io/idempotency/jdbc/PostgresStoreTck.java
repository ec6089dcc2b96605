package io.idempotency.jdbc;

/** The contract on PostgreSQL. */
abstract class PostgresStoreTck extends JdbcStoreTck {

    static final String REPEATABLE_READ = "?options=-c%20default_transaction_isolation=repeatable%5C%20read";
    static final String SERIALIZABLE = "?options=-c%20default_transaction_isolation=serializable";

    PostgresStoreTck(String urlSuffix) {
        this(urlSuffix, false);
    }

    PostgresStoreTck(String urlSuffix, boolean near) {
        super(Place.postgres().with(urlSuffix), "(extract(epoch FROM clock_timestamp()) * 1000)::bigint", near);
    }
}

package com.example.shop;

import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.CrudRepository;

/** Everything that really happened. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface Ledger extends CrudRepository<Entry, Long> {

    long countByWhatAndReference(String what, String reference);
}

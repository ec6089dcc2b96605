package io.idempotency.jdbc;

import io.micronaut.context.annotation.Requires;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;

/** A repository, as applications write with. */
@JdbcRepository(dialect = Dialect.ANSI)
@Requires(property = "test.ledger")
interface LedgerEntries extends GenericRepository<LedgerEntries.Entry, String> {

    /** One row of the ledger. */
    @MappedEntity(value = "ledger", escape = false)
    record Entry(@Id String entry, int amount) {}

    Entry save(Entry entry);
}

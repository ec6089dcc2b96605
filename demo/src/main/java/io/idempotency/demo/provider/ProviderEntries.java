package io.idempotency.demo.provider;

import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;

/** The provider's books. */
@JdbcRepository(dialect = Dialect.ANSI)
interface ProviderEntries extends GenericRepository<ProviderEntry, String> {

    ProviderEntry save(ProviderEntry entry);

    List<ProviderEntry> findByKind(String kind);

    List<ProviderEntry> findByKindAndReference(String kind, String reference);
}

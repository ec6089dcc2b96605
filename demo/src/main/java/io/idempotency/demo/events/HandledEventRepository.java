package io.idempotency.demo.events;

import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;

/** What was handled. */
@JdbcRepository(dialect = Dialect.ANSI)
interface HandledEventRepository extends GenericRepository<HandledEvent, Long> {

    HandledEvent save(HandledEvent event);

    List<HandledEvent> findAll();
}

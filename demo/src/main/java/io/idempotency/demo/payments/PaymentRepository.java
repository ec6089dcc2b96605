package io.idempotency.demo.payments;

import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.Optional;

/** The demo's own books; the SQL is plain enough for every database. */
@JdbcRepository(dialect = Dialect.ANSI)
interface PaymentRepository extends GenericRepository<Payment, String> {

    Payment save(Payment payment);

    Optional<Payment> findById(String id);

    List<Payment> findAll();
}

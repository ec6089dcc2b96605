package io.idempotency.demo.payments;

import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;

/** The refunds in the demo's own books. */
@JdbcRepository(dialect = Dialect.ANSI)
interface RefundRepository extends GenericRepository<Refund, String> {

    Refund save(Refund refund);

    List<Refund> findByPaymentId(String paymentId);
}

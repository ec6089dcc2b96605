package io.idempotency.jdbc;

import io.idempotency.IdempotentOperation;
import io.micronaut.context.annotation.Requires;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;

/** Writes to another data source than the records'. */
@Singleton
@Requires(property = "test.elsewhere")
class LedgerElsewhere {

    @Transactional("other")
    @IdempotentOperation(value = "book-elsewhere", key = "entry", transactional = true)
    public void book(String entry) {}
}

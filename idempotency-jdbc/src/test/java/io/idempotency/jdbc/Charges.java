package io.idempotency.jdbc;

import io.idempotency.IdempotentOperation;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicInteger;

/** A service whose bodies are counted. */
@Singleton
@Requires(property = "test.charges")
class Charges {

    final AtomicInteger bodies = new AtomicInteger();

    @IdempotentOperation(value = "charge-card", key = "order")
    public int charge(String order) {
        return bodies.incrementAndGet();
    }
}

package io.idempotency.runtime.intercept;

import io.micronaut.serde.annotation.Serdeable;
import java.math.BigDecimal;
import java.time.Instant;

@Serdeable
record Receipt(String orderId, int number, BigDecimal amount, Instant at) {}

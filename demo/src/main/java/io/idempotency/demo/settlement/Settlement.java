package io.idempotency.demo.settlement;

import io.micronaut.serde.annotation.Serdeable;
import java.math.BigDecimal;
import java.time.LocalDate;

/**
 * What one day came to.
 *
 * @param day in UTC
 * @param charges how many charges the provider had made by the time of the settlement
 * @param total their sum
 */
@Serdeable
public record Settlement(LocalDate day, int charges, BigDecimal total) {}

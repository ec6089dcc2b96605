package io.idempotency.demo.payments;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.serde.annotation.Serdeable;
import java.math.BigDecimal;

/**
 * A charge that happened.
 *
 * @param id the provider's id of the charge
 * @param orderId the client's order
 * @param amount how much
 * @param currency ISO 4217
 * @param status {@code CHARGED}
 */
@Serdeable
@MappedEntity(value = "payment", escape = false)
public record Payment(@Id String id, String orderId, BigDecimal amount, String currency, String status) {}

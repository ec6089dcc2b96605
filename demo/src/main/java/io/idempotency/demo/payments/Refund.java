package io.idempotency.demo.payments;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.serde.annotation.Serdeable;
import java.math.BigDecimal;

/**
 * A refund that happened.
 *
 * @param id the provider's id of the refund
 * @param paymentId the payment
 * @param amount how much
 * @param status {@code REFUNDED}
 */
@Serdeable
@MappedEntity(value = "refund", escape = false)
public record Refund(@Id String id, String paymentId, BigDecimal amount, String status) {}

package io.idempotency.demo.payments;

import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Digits;
import jakarta.validation.constraints.NotNull;
import java.math.BigDecimal;

/**
 * What a client asks to get back.
 *
 * @param amount how much, positive, at most two decimals
 */
@Serdeable
public record RefundRequest(
        @NotNull @DecimalMin("0.01") @Digits(integer = 17, fraction = 2)
        BigDecimal amount) {}

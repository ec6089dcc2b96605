package io.idempotency.demo.payments;

import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Digits;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;

/**
 * What a client asks to be charged.
 *
 * @param orderId its order
 * @param amount how much, positive, at most two decimals
 * @param currency ISO 4217
 */
@Serdeable
public record ChargeRequest(
        @NotBlank @Size(max = 200) String orderId,

        @NotNull @DecimalMin("0.01") @Digits(integer = 17, fraction = 2)
        BigDecimal amount,

        @NotNull @Pattern(regexp = "[A-Z]{3}") String currency) {}

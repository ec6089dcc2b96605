package io.idempotency.demo.customers;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;

/**
 * Somebody wants to be called.
 *
 * @param number the how manieth since the demo was started; left out in requests
 * @param phone whom to call
 */
@Serdeable
record Callback(
        @Nullable Long number, @NotBlank @Size(max = 50) String phone) {}

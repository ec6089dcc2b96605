package io.idempotency.demo.provider;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.math.BigDecimal;

/**
 * One thing the provider did.
 *
 * @param id the provider's id
 * @param kind {@code charge} or {@code refund}
 * @param reference the order of a charge, the charge of a refund
 * @param amount how much
 * @param currency of a charge
 * @param idempotencyKey the key it came with, which this provider only notes
 */
@MappedEntity(value = "provider_entry", escape = false)
record ProviderEntry(
        @Id String id,
        String kind,
        String reference,
        BigDecimal amount,
        @Nullable String currency,
        @Nullable String idempotencyKey) {}

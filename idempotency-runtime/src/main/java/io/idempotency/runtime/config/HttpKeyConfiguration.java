package io.idempotency.runtime.config;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.annotation.Nullable;

/** {@code idempotency.http.*} as far as it is about the keys of requests. */
@ConfigurationProperties(IdempotencyConfiguration.PREFIX + ".http")
interface HttpKeyConfiguration {

    /**
     * Whether a request without an Idempotency-Key is refused, for operations whose key is that header.
     *
     * @return null for what {@code idempotency.key-required} says
     */
    @Nullable
    Boolean getKeyRequired();
}

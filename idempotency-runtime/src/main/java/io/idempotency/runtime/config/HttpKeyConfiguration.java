package io.idempotency.runtime.config;

import io.idempotency.OtherCallers;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.annotation.Nullable;

/** {@code idempotency.http.*} as far as it is about the keys of requests. */
@ConfigurationProperties(IdempotencyConfiguration.PREFIX + ".http")
interface HttpKeyConfiguration {

    /**
     * Whether a request without an Idempotency-Key is refused, for operations whose key is that header; left out,
     * {@code idempotency.key-required} counts.
     */
    @Nullable
    Boolean getKeyRequired();

    /**
     * What a key means when another caller uses it too, for operations whose key a client chose in a header; left out,
     * {@code idempotency.other-callers} counts.
     */
    @Nullable
    OtherCallers getOtherCallers();
}

package io.idempotency.runtime.config;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.annotation.Nullable;

/** {@code idempotency.fingerprint.*}. */
@ConfigurationProperties(FingerprintConfiguration.PREFIX)
interface FingerprintConfiguration {

    /** Where the properties are. */
    String PREFIX = IdempotencyConfiguration.PREFIX + ".fingerprint";

    /**
     * What keys derived values, the same on every node. Whoever does not know it cannot compute or confirm them.
     *
     * @return at least 16 characters; null for values that are plain digests
     */
    @Nullable
    String getSecret();
}

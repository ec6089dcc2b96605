package io.idempotency.runtime.secrets;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.convert.format.ReadableBytes;

/** {@code idempotency.compression.*}. */
@ConfigurationProperties(CompressionConfiguration.PREFIX)
interface CompressionConfiguration {

    /** Where the properties are. */
    String PREFIX = "idempotency.compression";

    /** From which size on a recorded outcome is compressed, in bytes or as {@code 4KB}, at least 1; left out, none is. */
    @Nullable
    @ReadableBytes
    Integer getAbove();

    /**
     * The largest outcome that is compressed, and the most that one is expanded to, in bytes or as {@code 10MB}; at least 1.
     */
    @ReadableBytes
    @Bindable(defaultValue = "10485760")
    int getMaxSize();
}

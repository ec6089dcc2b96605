package io.idempotency.runtime.near;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.convert.format.ReadableBytes;
import java.time.Duration;

/** {@code idempotency.near-cache.*}: settled records that this node remembers, so that it need not ask the store again. */
@ConfigurationProperties(NearCacheConfiguration.PREFIX)
interface NearCacheConfiguration {

    /** Where the properties are. */
    String PREFIX = "idempotency.near-cache";

    /** Whether there is one. */
    String ENABLED = PREFIX + ".enabled";

    /**
     * Whether this node remembers records that are completed or failed. It needs Caffeine on the class path.
     *
     * @return true when replays are answered from memory
     */
    @Bindable(defaultValue = "false")
    boolean isEnabled();

    /**
     * How much memory the remembered records of one store may take, in bytes or as {@code 16MB}. The least useful ones go first.
     *
     * @return at least 1
     */
    @ReadableBytes
    @Bindable(defaultValue = "16777216")
    int getMaxWeight();

    /**
     * For how long a record is remembered after the store was asked. A record is never remembered past its own expiry.
     *
     * @return more than zero
     */
    @Bindable(defaultValue = "1m")
    Duration getTimeLimit();
}

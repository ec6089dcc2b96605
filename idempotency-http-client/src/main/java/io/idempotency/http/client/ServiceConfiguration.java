package io.idempotency.http.client;

import io.micronaut.context.annotation.EachProperty;
import io.micronaut.core.annotation.Nullable;
import java.time.Duration;

/**
 * {@code idempotency.http.client.services.<id>.*}: overrides the annotations of one {@code @Client} id. Null means not
 * overridden.
 */
@EachProperty(ServiceConfiguration.PREFIX)
public interface ServiceConfiguration {

    /** Where the properties are. */
    String PREFIX = ClientConfiguration.PREFIX + ".services";

    /**
     * Whether every request of the service carries a key, also those of low-level clients that nothing is annotated
     * for: derived inside an operation, otherwise a new one.
     *
     * @return true to send one
     */
    @Nullable
    Boolean getSendKey();

    /** How often a request is sent again. */
    @Nullable
    Integer getRetries();

    /** The delay before the first retry. */
    @Nullable
    Duration getDelay();

    /** The longest delay. */
    @Nullable
    Duration getMaxDelay();

    /** The header that carries the key. */
    @Nullable
    String getHeader();

    /** Whether the key stands in quotes. */
    @Nullable
    Boolean getQuoted();
}

package io.idempotency.runtime.config;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;

/** {@code idempotency.memory.*}: the store on the heap. */
@ConfigurationProperties(MemoryConfiguration.PREFIX)
public interface MemoryConfiguration {

    /** Where the properties are. */
    String PREFIX = "idempotency.memory";

    /**
     * How many records are kept. A call with one more key is refused and its body does not run, until others expire. Positive.
     */
    @Bindable(defaultValue = "1000000")
    int getMaxRecords();
}

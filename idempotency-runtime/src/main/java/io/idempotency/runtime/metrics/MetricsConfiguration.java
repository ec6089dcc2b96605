package io.idempotency.runtime.metrics;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/** {@code idempotency.metrics.*}: what is measured where Micrometer is present. */
@ConfigurationProperties(MetricsConfiguration.PREFIX)
public interface MetricsConfiguration {

    /** The common prefix. */
    String PREFIX = "idempotency.metrics";

    /** Whether anything is measured. */
    @Bindable(defaultValue = "true")
    boolean isEnabled();

    /**
     * How long between two questions to a store: how many records it has, and how many of them are in doubt. Every node asks. A
     * scrape never does. Positive.
     */
    @Bindable(defaultValue = "1m")
    Duration getInterval();
}

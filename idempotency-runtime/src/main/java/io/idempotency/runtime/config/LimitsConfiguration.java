package io.idempotency.runtime.config;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/** {@code idempotency.limits.*}: how this node counts the new keys that {@code max-new-keys} and its like limit. */
@ConfigurationProperties(LimitsConfiguration.PREFIX)
public interface LimitsConfiguration {

    /** Where the properties are. */
    String PREFIX = "idempotency.limits";

    /**
     * The time, 1 ms to 1 day, in which so many new keys are permitted. They are permitted at once as well; after that, one at
     * a time.
     */
    @Bindable(defaultValue = "1m")
    Duration getWindow();

    /**
     * How many callers of one operation are counted each by themselves. Those beyond share what one of them may have. Positive.
     */
    @Bindable(defaultValue = "10000")
    int getMaxCallers();
}

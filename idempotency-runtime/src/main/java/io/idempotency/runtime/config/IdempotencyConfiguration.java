package io.idempotency.runtime.config;

import io.idempotency.runtime.Within;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/** {@code idempotency.*}: what applies to every operation that does not say otherwise. */
@ConfigurationProperties(IdempotencyConfiguration.PREFIX)
public interface IdempotencyConfiguration extends PolicyConfiguration {

    /** The prefix of these properties. */
    String PREFIX = "idempotency";

    /** Whether operations are protected at all. Switching it off is reported at start-up. */
    @Bindable(defaultValue = "true")
    boolean isEnabled();

    /** How long the audit trail of a record is kept that an operator settled; more than zero. */
    @Within(min = "1ms")
    @Bindable(defaultValue = "365d")
    Duration getAuditRetention();

    /**
     * How many duplicates of one key may wait in this application at the same time. One more is rejected at once. Not negative.
     */
    @Within(min = "0")
    @Bindable(defaultValue = "1000")
    int getMaxWaitersPerKey();

    /** How long the first caller waits while a failing store is asked again to record the outcome; not negative. */
    @Within(min = "0s", max = HUNDRED_YEARS)
    @Bindable(defaultValue = "2s")
    Duration getSettleBudget();

    /** How long the application waits, when it stops, for running operations to end and be recorded; not negative. */
    @Within(min = "0s", max = HUNDRED_YEARS)
    @Bindable(defaultValue = "15s")
    Duration getShutdownTimeout();
}

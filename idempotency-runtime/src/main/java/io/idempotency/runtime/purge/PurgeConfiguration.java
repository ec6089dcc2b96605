package io.idempotency.runtime.purge;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/** {@code idempotency.purge.*}: when expired records are removed. They are absent to every call from the moment they expire. */
@ConfigurationProperties("idempotency.purge")
public interface PurgeConfiguration {

    /** Whether this node removes expired records. */
    @Bindable(defaultValue = "true")
    boolean isEnabled();

    /** How long between two runs, unless {@code cron} is set; positive. */
    @Bindable(defaultValue = "5m")
    Duration getInterval();

    /** When to run, for quiet hours: a cron expression as {@code @Scheduled} takes it, instead of the interval. */
    @Nullable
    String getCron();

    /**
     * How much time of each second a run may take the store on this node. Between batches it pauses for the rest, and makes
     * them smaller where they take long, so that calls beside it are not held up. More than zero, at most {@code 1s}, which is
     * without pauses.
     */
    @Bindable(defaultValue = "100ms")
    Duration getTimePerSecond();

    /** How many records one statement removes at the most. A run goes on until a batch is not full. Positive. */
    @Bindable(defaultValue = "1000")
    int getBatchSize();
}

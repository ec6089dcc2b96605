package io.idempotency.runtime.metrics;

import io.idempotency.OnStoreFailure;
import io.idempotency.Refusal;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.purge.PurgeListener;
import io.idempotency.runtime.store.RecordsMayBeMissing;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.util.StringUtils;
import io.micronaut.runtime.event.annotation.EventListener;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.function.ToDoubleFunction;

/** Counts and times the outcomes of calls, changes of claims, and purges. */
@Singleton
@Requires(classes = MeterRegistry.class)
@Requires(beans = MeterRegistry.class)
@Requires(
        property = StoreGauges.Configuration.PREFIX + ".enabled",
        value = StringUtils.TRUE,
        defaultValue = StringUtils.TRUE)
record IdempotencyMeters(MeterRegistry registry) implements OutcomeListener, PurgeListener {

    @Override
    public void onOutcome(Call call, Outcome outcome) {
        timer(Meter.CALLS, call.operation(), call.store(), outcome.label()).record(call.took());
        if (outcome.recorded() == Outcome.Recorded.DEGRADED) {
            counter(Meter.DEGRADED, call.operation(), call.store()).increment();
        }
    }

    @Override
    public void onUnprotected(String operation) {
        counter(Meter.UNPROTECTED, operation).increment();
    }

    @Override
    public void onClaim(Call call, ClaimChange change) {
        counter(meterOf(change), call.operation(), call.store()).increment();
    }

    @Override
    public void onBatch(String store, Duration took, int removed) {
        timer(Meter.PURGE_BATCHES, store).record(took);
        counter(Meter.PURGED, store).increment(removed);
    }

    @Override
    public void onRun(String store, Duration took) {
        timer(Meter.PURGE, store).record(took);
    }

    @EventListener
    void onRecordsMayBeMissing(RecordsMayBeMissing found) {
        counter(Meter.RECORDS_MISSING, found.store()).increment();
    }

    /** Registers an operation's meters in advance: an alert does not see the first event of a counter that is new. */
    void show(Operation shown) {
        String operation = shown.name();
        String store = shown.store().name();
        if (shown.policy().onStoreFailure() == OnStoreFailure.PROCEED) {
            timer(Meter.CALLS, operation, store, Outcome.PROCEEDED);
        }
        timer(Meter.CALLS, operation, store, Refusal.TOO_MANY_RECORDS.code());
        counter(Meter.DEGRADED, operation, store);
        counter(Meter.UNPROTECTED, operation);
        counter(Meter.PURGED, store);
        counter(Meter.RECORDS_MISSING, store);
        for (ClaimChange change : ClaimChange.values()) {
            counter(meterOf(change), operation, store);
        }
    }

    private static Meter meterOf(ClaimChange change) {
        return switch (change) {
            case LEASE_LOST -> Meter.LEASES_LOST;
            case NOT_RENEWED -> Meter.NOT_RENEWED;
            case RENEWED_LATE -> Meter.RENEWED_LATE;
            case OUTCOME_STALE -> Meter.STALE;
        };
    }

    private Counter counter(Meter meter, String... values) {
        return Counter.builder(meter.id)
                .description(meter.description)
                .tags(tags(meter, values))
                .register(registry);
    }

    private Timer timer(Meter meter, String... values) {
        return Timer.builder(meter.id)
                .description(meter.description)
                .tags(tags(meter, values))
                .register(registry);
    }

    /** Registers a gauge as {@link Meter} describes it. The gauge references {@code measured} only weakly. */
    <T> void gauge(Meter meter, T measured, ToDoubleFunction<T> value, String... values) {
        Gauge.builder(meter.id, measured, value)
                .description(meter.description)
                .baseUnit(meter == Meter.RETRY_MEMORY ? BaseUnits.BYTES : null)
                .tags(tags(meter, values))
                .register(registry);
    }

    private static Tags tags(Meter meter, String... values) {
        Tags tags = Tags.empty();
        for (int i = 0; i < meter.tags.size(); i++) {
            tags = tags.and(meter.tags.get(i), values[i]);
        }
        return tags;
    }
}

package io.idempotency.runtime.metrics;

import io.idempotency.runtime.Within;
import io.idempotency.runtime.config.BackgroundTasks;
import io.idempotency.runtime.config.OperationBinder;
import io.idempotency.runtime.engine.IdempotencyEngine;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordState;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers the gauges of this node and of its operations' stores. A scrape reads the last sample; the stores are asked
 * in the background, one question at a time.
 */
@Singleton
@Requires(beans = IdempotencyMeters.class)
record StoreGauges(
        IdempotencyMeters meters,
        IdempotencyEngine engine,
        OperationBinder operations,
        BackgroundTasks tasks,
        Configuration configuration)
        implements BackgroundTasks.Starter {

    /** The most records in doubt that are counted, and so the gauge's largest value. */
    static final int MOST_IN_DOUBT = 1000;

    private static final Logger LOG = LoggerFactory.getLogger(StoreGauges.class);

    @Override
    public void onApplicationEvent(StartupEvent event) {
        meters.gauge(Meter.ACTIVE, engine, IdempotencyEngine::running);
        meters.gauge(Meter.WAITING, engine, IdempotencyEngine::waiting);
        Map<IdempotencyStore, Sample> samples = new ConcurrentHashMap<>();
        tasks.every(Duration.ZERO, configuration.getInterval(), () -> ask(samples));
    }

    /** Asks every store. Registers new ones first: an operation called by hand is bound by its first call. */
    private void ask(Map<IdempotencyStore, Sample> samples) {
        for (OperationBinder.Bound bound : operations.all()) {
            meters.show(bound.operation());
            samples.computeIfAbsent(bound.operation().store(), this::shown);
        }
        samples.values()
                .forEach(sample ->
                        tasks.run(sample, "Asking store '" + sample.store.name() + "' for its gauges", sample::ask));
    }

    private Sample shown(IdempotencyStore store) {
        Sample sample = new Sample(store);
        String name = store.name();
        meters.gauge(Meter.STORE_UP, sample, each -> each.up, name);
        meters.gauge(Meter.RECORDS, sample, each -> each.records, name);
        meters.gauge(Meter.IN_DOUBT, sample, each -> each.inDoubt, name);
        meters.gauge(Meter.RETRIES, engine, each -> each.backlog(store).calls(), name);
        meters.gauge(Meter.RETRY_MEMORY, engine, each -> each.backlog(store).bytes(), name);
        return sample;
    }

    /** What one store said last; NaN for what it did not. */
    private static final class Sample {

        private final IdempotencyStore store;
        private volatile double up = Double.NaN;
        private volatile double records = Double.NaN;
        private volatile double inDoubt = Double.NaN;

        Sample(IdempotencyStore store) {
            this.store = store;
        }

        void ask() {
            double takesClaims = 0;
            double size = Double.NaN;
            double open = Double.NaN;
            try {
                open = store.list(RecordState.IN_DOUBT, Duration.ZERO, MOST_IN_DOUBT)
                        .size();
                OptionalLong about = store.approximateSize();
                size = about.isPresent() ? about.getAsLong() : Double.NaN;
                takesClaims = store.health().usable() ? 1 : 0;
            } catch (RuntimeException e) {
                LOG.debug("Store '{}' did not answer what its gauges ask", store.name(), e);
            } finally {
                up = takesClaims;
                records = size;
                inDoubt = open;
            }
        }
    }

    /** {@code idempotency.metrics.*}: what is measured where Micrometer is present. */
    @ConfigurationProperties(Configuration.PREFIX)
    interface Configuration {

        /** The common prefix. */
        String PREFIX = "idempotency.metrics";

        /** Whether anything is measured. */
        @Bindable(defaultValue = "true")
        boolean isEnabled();

        /**
         * How long between two questions to a store: how many records it has, and how many of them are in doubt. Every node asks. A
         * scrape never does. Positive.
         */
        @Within(min = "1ms")
        @Bindable(defaultValue = "1m")
        Duration getInterval();
    }
}

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
final class StoreGauges implements BackgroundTasks.Starter {

    /** The most records in doubt that are counted, and so the gauge's largest value. */
    static final int MOST_IN_DOUBT = 1000;

    private static final Logger LOG = LoggerFactory.getLogger(StoreGauges.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final IdempotencyMeters meters;
    private final IdempotencyEngine engine;
    private final OperationBinder operations;
    private final BackgroundTasks tasks;
    private final Duration interval;
    private final Map<IdempotencyStore, Sample> samples = new ConcurrentHashMap<>();

    StoreGauges(
            IdempotencyMeters meters,
            IdempotencyEngine engine,
            OperationBinder operations,
            BackgroundTasks tasks,
            Configuration configuration) {
        this.meters = meters;
        this.engine = engine;
        this.operations = operations;
        this.tasks = tasks;
        this.interval = configuration.getInterval();
    }

    @Override
    public void onApplicationEvent(StartupEvent event) {
        meters.gauge(Meter.ACTIVE, engine, IdempotencyEngine::running);
        meters.gauge(Meter.WAITING, engine, IdempotencyEngine::waiting);
        tasks.every(Duration.ZERO, interval, this::ask);
    }

    /** Asks every store. Registers new ones first: an operation called by hand is bound by its first call. */
    private void ask() {
        for (OperationBinder.Bound bound : operations.all()) {
            meters.show(bound.operation());
            samples.computeIfAbsent(bound.operation().store(), this::shown);
        }
        samples.values().forEach(sample -> tasks.run(sample, sample::ask));
    }

    private Sample shown(IdempotencyStore store) {
        Sample sample = new Sample(store);
        String name = store.name();
        meters.gauge(Meter.STORE_UP, sample, each -> each.now().up(), name);
        meters.gauge(Meter.RECORDS, sample, each -> each.now().records(), name);
        meters.gauge(Meter.IN_DOUBT, sample, each -> each.now().inDoubt(), name);
        meters.gauge(Meter.RETRIES, engine, each -> each.backlog(store).calls(), name);
        meters.gauge(Meter.RETRY_MEMORY, engine, each -> each.backlog(store).bytes(), name);
        return sample;
    }

    /**
     * A sample of a store's numbers. The counts are NaN while the store does not answer.
     *
     * @param up 1 or 0; NaN before the first answer
     * @param records about how many records there are; NaN when the store does not know
     */
    private record Known(double up, double records, double inDoubt) {

        private static final Known NOTHING = new Known(Double.NaN, Double.NaN, Double.NaN);
        private static final Known DOWN = new Known(0, Double.NaN, Double.NaN);
    }

    /** What one store said last. A question that takes long counts as a store that is down. */
    private static final class Sample {

        private final IdempotencyStore store;
        private volatile long asked;
        private volatile boolean asking;
        private volatile Known said = Known.NOTHING;

        Sample(IdempotencyStore store) {
            this.store = store;
        }

        Known now() {
            return asking && System.nanoTime() - asked > PATIENCE.toNanos() ? Known.DOWN : said;
        }

        void ask() {
            asked = System.nanoTime();
            asking = true;
            Known answer = Known.DOWN;
            try {
                int inDoubt = store.list(RecordState.IN_DOUBT, Duration.ZERO, MOST_IN_DOUBT)
                        .size();
                OptionalLong size = store.approximateSize();
                answer = new Known(1, size.isPresent() ? size.getAsLong() : Double.NaN, inDoubt);
            } catch (RuntimeException e) {
                LOG.debug("Store '{}' did not answer how many records it has", store.name(), e);
            } finally {
                said = answer;
                asking = false;
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

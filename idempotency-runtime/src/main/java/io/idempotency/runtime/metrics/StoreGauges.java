package io.idempotency.runtime.metrics;

import io.idempotency.runtime.config.OperationBinder;
import io.idempotency.runtime.engine.IdempotencyEngine;
import io.idempotency.runtime.store.IdempotencyStore;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.order.Ordered;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.TaskScheduler;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/**
 * Shows how things are: on this node, and in the stores of its operations. A scrape reads what is known; the stores are asked
 * in the background, one question at a time.
 */
@Singleton
@Requires(beans = Meters.class)
final class StoreGauges implements ApplicationEventListener<StartupEvent>, Ordered {

    private final Meters meters;
    private final IdempotencyMeters counters;
    private final IdempotencyEngine engine;
    private final OperationBinder operations;
    private final TaskScheduler scheduler;
    private final ExecutorService blocking;
    private final Duration interval;
    private final Map<IdempotencyStore, StoreSample> samples = new ConcurrentHashMap<>();
    private volatile @Nullable ScheduledFuture<?> scheduled;

    StoreGauges(
            Meters meters,
            IdempotencyMeters counters,
            IdempotencyEngine engine,
            OperationBinder operations,
            TaskScheduler scheduler,
            @Named(TaskExecutors.BLOCKING) ExecutorService blocking,
            MetricsConfiguration configuration) {
        this.meters = meters;
        this.counters = counters;
        this.engine = engine;
        this.operations = operations;
        this.scheduler = scheduler;
        this.blocking = blocking;
        this.interval = configuration.getInterval();
    }

    /** After the operations were bound: before, there are no stores to ask. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public void onApplicationEvent(StartupEvent event) {
        if (interval.isZero() || interval.isNegative()) {
            throw new ConfigurationException(MetricsConfiguration.PREFIX + ".interval must be more than zero");
        }
        meters.gauge(Meter.ACTIVE, engine, IdempotencyEngine::running);
        meters.gauge(Meter.WAITING, engine, IdempotencyEngine::waiting);
        scheduled = scheduler.scheduleWithFixedDelay(Duration.ZERO, interval, this::ask);
    }

    @PreDestroy
    void stop() {
        ScheduledFuture<?> running = scheduled;
        if (running != null) {
            running.cancel(false);
        }
    }

    /** Operations that are called by hand come to it later. */
    private void ask() {
        for (OperationBinder.Bound bound : operations.all()) {
            counters.show(bound.operation());
            samples.computeIfAbsent(bound.operation().store(), this::shown);
        }
        samples.values().forEach(sample -> sample.ask(blocking));
    }

    private StoreSample shown(IdempotencyStore store) {
        StoreSample sample = new StoreSample(store);
        String name = store.name();
        meters.gauge(Meter.STORE_UP, sample, each -> each.now().up(), name);
        meters.gauge(Meter.RECORDS, sample, each -> each.now().records(), name);
        meters.gauge(Meter.IN_DOUBT, sample, each -> each.now().inDoubt(), name);
        meters.gauge(Meter.RETRIES, engine, each -> each.backlog(store).calls(), name);
        meters.gauge(Meter.RETRY_MEMORY, engine, each -> each.backlog(store).bytes(), name);
        return sample;
    }
}

package io.idempotency.runtime.purge;

import io.idempotency.runtime.config.BackgroundTasks;
import io.idempotency.runtime.config.IdempotencyConfiguration;
import io.idempotency.runtime.engine.ElapsedTime;
import io.idempotency.runtime.engine.Listeners;
import io.idempotency.runtime.store.IdempotencyStore;
import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.context.exceptions.ConfigurationException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes expired records from every store in use, batch by batch. Nodes need not agree on who does it: a store passes
 * over what another node is removing.
 */
@Context
final class PurgeJob implements ApplicationEventListener<StartupEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(PurgeJob.class);
    private static final String PREFIX = "idempotency.purge.";

    private final BeanContext context;
    private final PurgeConfiguration configuration;
    private final boolean enabled;
    private final BackgroundTasks tasks;
    private final ElapsedTime time;
    private final List<PurgeListener> listeners;

    PurgeJob(
            BeanContext context,
            PurgeConfiguration configuration,
            IdempotencyConfiguration all,
            BackgroundTasks tasks,
            ElapsedTime time,
            List<PurgeListener> listeners) {
        this.context = context;
        this.configuration = configuration;
        this.enabled = configuration.isEnabled() && all.isEnabled();
        this.tasks = tasks;
        this.time = time;
        this.listeners = List.copyOf(listeners);
    }

    @Override
    public void onApplicationEvent(StartupEvent event) {
        if (!enabled) {
            return;
        }
        Duration interval = configuration.getInterval();
        Duration budget = configuration.getTimePerSecond();
        BackgroundTasks.require(PREFIX + "interval", interval.compareTo(Duration.ZERO) > 0);
        BackgroundTasks.require(PREFIX + "batch-size", configuration.getBatchSize() > 0);
        BackgroundTasks.require(PREFIX + "time-per-second", budget.compareTo(Duration.ZERO) > 0);
        if (budget.compareTo(Duration.ofSeconds(1)) > 0) {
            throw new ConfigurationException(PREFIX + "time-per-second must not be more than 1s");
        }
        String cron = configuration.getCron();
        if (cron == null) {
            tasks.every(BackgroundTasks.partOf(interval), interval, this::purge);
        } else {
            tasks.at(cron, this::purge);
        }
    }

    /** Purges the stores that exist: looking for records does not create one. A run that is not over goes on. */
    private void purge() {
        context.getActiveBeanRegistrations(IdempotencyStore.class)
                .forEach(store -> tasks.run(store.getBean(), () -> purge(store.getBean())));
    }

    private void purge(IdempotencyStore store) {
        long start = time.nanos();
        try {
            boolean over = new PurgePace(configuration.getTimePerSecond(), configuration.getBatchSize())
                    .run(store::purge, time::nanos, (took, removed) -> tell(store, took, removed), tasks::pause);
            if (over) {
                Duration took = Duration.ofNanos(time.nanos() - start);
                tell(store, listener -> listener.onRun(store.name(), took));
            }
        } catch (RuntimeException e) {
            if (tasks.pause(Duration.ZERO)) { // a store that is closed meanwhile fails
                LOG.warn("Store '{}' could not remove expired records; trying again at the next run", store.name(), e);
            }
        }
    }

    private void tell(IdempotencyStore store, Duration took, int removed) {
        tell(store, listener -> listener.onBatch(store.name(), took));
        if (removed > 0) {
            tell(store, listener -> listener.onPurged(store.name(), removed));
        }
    }

    private void tell(IdempotencyStore store, Consumer<PurgeListener> news) {
        Listeners.tell(listeners, store.name(), news);
    }
}

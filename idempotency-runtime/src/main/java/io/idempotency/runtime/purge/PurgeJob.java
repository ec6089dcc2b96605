package io.idempotency.runtime.purge;

import io.idempotency.runtime.Within;
import io.idempotency.runtime.config.BackgroundTasks;
import io.idempotency.runtime.config.IdempotencyConfiguration;
import io.idempotency.runtime.engine.ElapsedTime;
import io.idempotency.runtime.engine.Listeners;
import io.idempotency.runtime.store.IdempotencyStore;
import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.order.Ordered;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes expired records from every store in use, batch by batch. Every node does so without coordination: a store
 * skips the records that another node is removing.
 */
@Context
final class PurgeJob implements ApplicationEventListener<StartupEvent>, Ordered {

    private static final Logger LOG = LoggerFactory.getLogger(PurgeJob.class);
    private static final String PREFIX = "idempotency.purge.";

    private final BeanContext context;
    private final Configuration configuration;
    private final boolean enabled;
    private final BackgroundTasks tasks;
    private final ElapsedTime time;
    private final List<PurgeListener> listeners;

    PurgeJob(
            BeanContext context,
            Configuration configuration,
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

    /** Starts after the properties are checked. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public void onApplicationEvent(StartupEvent event) {
        if (!enabled) {
            return;
        }
        Duration interval = configuration.getInterval();
        String cron = configuration.getCron();
        if (cron == null) {
            tasks.every(BackgroundTasks.partOf(interval), interval, this::purge);
        } else {
            purgeAt(cron);
        }
    }

    private void purgeAt(String cron) {
        try {
            tasks.at(cron, this::purge);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(
                    PREFIX + "cron: '" + cron + "' is not a cron expression: " + e.getMessage()
                            + ". The application does not start. Write it as @Scheduled takes it, for instance 0 0 3 * * *.",
                    e);
        }
    }

    /** Purges the stores that exist, without creating others. A store whose last run still goes on starts no other. */
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
            if (tasks.pause(Duration.ZERO)) { // false at shutdown, when a closed store fails
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

    /** {@code idempotency.purge.*}: when expired records are removed. They are absent to every call from the moment they expire. */
    @ConfigurationProperties("idempotency.purge")
    interface Configuration {

        /** Whether this node removes expired records. */
        @Bindable(defaultValue = "true")
        boolean isEnabled();

        /** How long between two runs, unless {@code cron} is set; positive. */
        @Within(min = "1ms")
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
        @Within(min = "1ms", max = "1s")
        @Bindable(defaultValue = "100ms")
        Duration getTimePerSecond();

        /** How many records one statement removes at the most. A run goes on until a batch is not full. Positive. */
        @Within(min = "1")
        @Bindable(defaultValue = "1000")
        int getBatchSize();
    }
}

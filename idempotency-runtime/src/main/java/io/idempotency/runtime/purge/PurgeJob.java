package io.idempotency.runtime.purge;

import io.idempotency.runtime.config.IdempotencyConfiguration;
import io.idempotency.runtime.store.IdempotencyStore;
import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.TaskScheduler;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Named;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes expired records from every store in use, batch by batch. Nodes need not agree on who does it: a store passes
 * over what another node is removing.
 */
@Context
final class PurgeJob implements ApplicationEventListener<StartupEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(PurgeJob.class);

    private final BeanContext context;
    private final PurgeConfiguration configuration;
    private final boolean enabled;
    private final TaskScheduler scheduler;
    private final Executor blocking;
    private final List<PurgeListener> listeners;
    private volatile @Nullable ScheduledFuture<?> scheduled;

    PurgeJob(
            BeanContext context,
            PurgeConfiguration configuration,
            IdempotencyConfiguration all,
            TaskScheduler scheduler,
            @Named(TaskExecutors.BLOCKING) ExecutorService blocking,
            List<PurgeListener> listeners) {
        this.context = context;
        this.configuration = configuration;
        this.enabled = configuration.isEnabled() && all.isEnabled();
        this.scheduler = scheduler;
        this.blocking = blocking;
        this.listeners = List.copyOf(listeners);
    }

    @Override
    public void onApplicationEvent(StartupEvent event) {
        if (!enabled) {
            return;
        }
        require("interval", configuration.getInterval().compareTo(Duration.ZERO) > 0);
        require("batch-size", configuration.getBatchSize() > 0);
        String cron = configuration.getCron();
        // nodes that start together do not purge together
        double spread = ThreadLocalRandom.current().nextDouble();
        Duration first = Duration.ofMillis((long) (configuration.getInterval().toMillis() * spread));
        scheduled = cron == null
                ? scheduler.scheduleWithFixedDelay(first, configuration.getInterval(), this::run)
                : scheduler.schedule(cron, this::run);
    }

    private static void require(String property, boolean fulfilled) {
        if (!fulfilled) {
            throw new ConfigurationException("idempotency.purge." + property + " must be more than zero");
        }
    }

    @PreDestroy
    void stop() {
        ScheduledFuture<?> running = scheduled;
        if (running != null) {
            running.cancel(false);
        }
    }

    /** Only stores that exist: looking for records does not create one. */
    private void run() {
        context.getActiveBeanRegistrations(IdempotencyStore.class)
                .forEach(store -> purge(store.getBean(), System.nanoTime()));
    }

    private void purge(IdempotencyStore store, long startNanos) {
        blocking.execute(() -> {
            try {
                batch(store, startNanos).exceptionally(failure -> failed(store, failure));
            } catch (RuntimeException e) {
                failed(store, e);
            }
        });
    }

    private CompletionStage<Void> batch(IdempotencyStore store, long startNanos) {
        int size = configuration.getBatchSize();
        return store.purge(size).thenAccept(removed -> {
            if (removed > 0) {
                listeners.forEach(listener -> listener.onPurged(store.name(), removed));
                LOG.debug("Purged {} expired records from store '{}'", removed, store.name());
            }
            if (removed >= size) {
                purge(store, startNanos);
            } else {
                Duration took = Duration.ofNanos(System.nanoTime() - startNanos);
                listeners.forEach(listener -> listener.onRun(store.name(), took));
            }
        });
    }

    private static @Nullable Void failed(IdempotencyStore store, Throwable failure) {
        LOG.warn("Store '{}' could not remove expired records; trying again at the next run", store.name(), failure);
        return null;
    }
}

package io.idempotency.runtime.purge;

import io.idempotency.runtime.config.IdempotencyConfiguration;
import io.idempotency.runtime.engine.ElapsedTime;
import io.idempotency.runtime.engine.EngineTimer;
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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
    private final PurgeRun.Services services;
    private final Set<IdempotencyStore> running = ConcurrentHashMap.newKeySet();
    private volatile @Nullable ScheduledFuture<?> scheduled;

    PurgeJob(
            BeanContext context,
            PurgeConfiguration configuration,
            IdempotencyConfiguration all,
            TaskScheduler scheduler,
            ElapsedTime time,
            EngineTimer timer,
            @Named(TaskExecutors.BLOCKING) ExecutorService blocking,
            List<PurgeListener> listeners) {
        this.context = context;
        this.configuration = configuration;
        this.enabled = configuration.isEnabled() && all.isEnabled();
        this.scheduler = scheduler;
        this.services = new PurgeRun.Services(time, timer, blocking, List.copyOf(listeners));
    }

    @Override
    public void onApplicationEvent(StartupEvent event) {
        if (!enabled) {
            return;
        }
        require("interval", configuration.getInterval().compareTo(Duration.ZERO) > 0);
        require("batch-size", configuration.getBatchSize() > 0);
        Duration budget = configuration.getTimePerSecond();
        require("time-per-second", budget.compareTo(Duration.ZERO) > 0);
        if (budget.compareTo(Duration.ofSeconds(1)) > 0) {
            throw new ConfigurationException("idempotency.purge.time-per-second must not be more than 1s");
        }
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
        ScheduledFuture<?> planned = scheduled;
        scheduled = null;
        if (planned != null) {
            planned.cancel(false);
        }
    }

    /** Only stores that exist: looking for records does not create one. */
    private void run() {
        context.getActiveBeanRegistrations(IdempotencyStore.class).forEach(store -> purge(store.getBean()));
    }

    /** A run that is not over goes on instead of a second one. */
    private void purge(IdempotencyStore store) {
        if (running.add(store)) {
            PurgePace pace = new PurgePace(configuration.getTimePerSecond(), configuration.getBatchSize());
            new PurgeRun(store.name(), store::purge, pace, services).start().whenComplete((over, failure) -> {
                running.remove(store);
                if (failure != null && scheduled != null) {
                    LOG.warn(
                            "Store '{}' could not remove expired records; trying again at the next run",
                            store.name(),
                            failure);
                }
            });
        }
    }
}

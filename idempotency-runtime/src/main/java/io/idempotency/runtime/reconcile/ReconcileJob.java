package io.idempotency.runtime.reconcile;

import io.idempotency.OnAbandoned;
import io.idempotency.runtime.config.IdempotencyConfiguration;
import io.idempotency.runtime.config.OperationBinder;
import io.idempotency.runtime.engine.Operation;
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
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks for abandoned runs at intervals, on one thread. Without an {@link AbandonedReconciler} it does nothing. */
@Context
final class ReconcileJob implements ApplicationEventListener<StartupEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(ReconcileJob.class);

    private final ReconcileConfiguration configuration;
    private final List<AbandonedReconciler> reconcilers;
    private final OperationBinder operations;
    private final AbandonedRuns runs;
    private final TaskScheduler scheduler;
    private final ExecutorService blocking;
    private final boolean enabled;
    private final Set<String> useless = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean looking = new AtomicBoolean();
    private volatile @Nullable ScheduledFuture<?> scheduled;

    ReconcileJob(
            ReconcileConfiguration configuration,
            IdempotencyConfiguration all,
            List<AbandonedReconciler> reconcilers,
            OperationBinder operations,
            AbandonedRuns runs,
            TaskScheduler scheduler,
            @Named(TaskExecutors.BLOCKING) ExecutorService blocking) {
        this.configuration = configuration;
        this.enabled = configuration.isEnabled() && all.isEnabled();
        this.reconcilers = List.copyOf(reconcilers);
        this.operations = operations;
        this.runs = runs;
        this.scheduler = scheduler;
        this.blocking = blocking;
    }

    @Override
    public void onApplicationEvent(StartupEvent event) {
        if (!enabled || reconcilers.isEmpty()) {
            return;
        }
        require("interval", configuration.getInterval().compareTo(Duration.ZERO) > 0);
        require("batch-size", configuration.getBatchSize() > 0);
        // nodes that start together do not look together
        double spread = ThreadLocalRandom.current().nextDouble();
        Duration first = Duration.ofMillis((long) (configuration.getInterval().toMillis() * spread));
        scheduled = scheduler.scheduleWithFixedDelay(first, configuration.getInterval(), this::start);
    }

    private static void require(String property, boolean fulfilled) {
        if (!fulfilled) {
            throw new ConfigurationException("idempotency.reconcile." + property + " must be more than zero");
        }
    }

    @PreDestroy
    void stop() {
        ScheduledFuture<?> running = scheduled;
        if (running != null) {
            running.cancel(false);
        }
    }

    /** A look that takes longer than the interval is not joined by another one. What it throws would end the schedule for ever. */
    @SuppressWarnings("CatchingUnchecked") // no thread to be had is an Error
    private void start() {
        if (looking.compareAndSet(false, true)) {
            try {
                blocking.execute(this::look);
            } catch (Throwable e) {
                looking.set(false);
                LOG.warn("Abandoned runs could not be looked for; trying again in {}", configuration.getInterval(), e);
            }
        }
    }

    private void look() {
        try {
            reconcilers.forEach(this::look);
        } finally {
            looking.set(false);
        }
    }

    @SuppressWarnings("CatchingUnchecked") // one reconciler must not end the look for the others
    private void look(AbandonedReconciler reconciler) {
        try {
            Optional<Operation> operation = operations
                    .named(reconciler.operation())
                    .map(OperationBinder.Bound::operation)
                    .filter(ReconcileJob::reconciles);
            if (operation.isPresent()) {
                runs.reconcile(operation.get(), reconciler, configuration.getInterval(), configuration.getBatchSize());
            } else if (useless.add(reconciler.operation())) {
                LOG.warn(
                        "{} is for operation '{}', which this application has not, or not with onAbandoned = RECONCILE: it is"
                                + " never asked",
                        reconciler.getClass().getName(),
                        reconciler.operation());
            }
        } catch (Throwable e) {
            LOG.warn(
                    "Idempotent operation '{}': its abandoned runs could not be looked for; trying again in {}",
                    reconciler.operation(),
                    configuration.getInterval(),
                    e);
        }
    }

    private static boolean reconciles(Operation operation) {
        return operation.policy().onAbandoned() == OnAbandoned.RECONCILE
                && !operation.policy().transactional();
    }
}

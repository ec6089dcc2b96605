package io.idempotency.runtime.reconcile;

import io.idempotency.OnAbandoned;
import io.idempotency.runtime.Within;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.config.BackgroundTasks;
import io.idempotency.runtime.config.IdempotencyConfiguration;
import io.idempotency.runtime.config.OperationBinder;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks for abandoned runs at intervals, one reconciler after the other; does nothing without a reconciler. */
@Context
record ReconcileJob(
        Configuration configuration,
        IdempotencyConfiguration all,
        List<AbandonedReconciler> reconcilers,
        OperationBinder operations,
        AbandonedRuns runs,
        BackgroundTasks tasks)
        implements BackgroundTasks.Starter {

    private static final Logger LOG = LoggerFactory.getLogger(ReconcileJob.class);

    @Override
    public void onApplicationEvent(StartupEvent event) {
        if (!configuration.isEnabled() || !all.isEnabled() || reconcilers.isEmpty()) {
            return;
        }
        Duration interval = configuration.getInterval();
        Set<String> useless = ConcurrentHashMap.newKeySet(); // operations of which is warned already
        tasks.every(
                BackgroundTasks.partOf(interval),
                interval,
                () -> tasks.run(
                        ReconcileJob.class,
                        "Looking for abandoned runs",
                        () -> reconcilers.forEach(each -> look(each, useless))));
    }

    private void look(AbandonedReconciler reconciler, Set<String> useless) {
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
        } catch (Throwable e) { // a failing reconciler must not stop the others
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

    /** {@code idempotency.reconcile.*}: when abandoned runs are looked for, where an {@link AbandonedReconciler} can tell what became of them. */
    @ConfigurationProperties("idempotency.reconcile")
    interface Configuration {

        /** Whether this node looks for them. */
        @Bindable(defaultValue = "true")
        boolean isEnabled();

        /** How long between two looks. A run whose outcome was unknown is asked for again after as long. Positive. */
        @Within(min = "1ms")
        @Bindable(defaultValue = "1m")
        Duration getInterval();

        /** How many runs of one operation are asked for in one look, one after the other; positive. */
        @Within(min = "1")
        @Bindable(defaultValue = "100")
        int getBatchSize();
    }
}

package io.idempotency.runtime.purge;

import io.idempotency.runtime.Within;
import io.idempotency.runtime.config.BackgroundTasks;
import io.idempotency.runtime.config.IdempotencyConfiguration;
import io.idempotency.runtime.config.Stores;
import io.idempotency.runtime.engine.ElapsedTime;
import io.idempotency.runtime.engine.Listeners;
import io.idempotency.runtime.store.IdempotencyStore;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Removes expired records from every store in use, batch by batch. Every node does so without coordination: a store
 * skips the records that another node is removing.
 */
@Context
record PurgeJob(
        Stores stores,
        Configuration configuration,
        IdempotencyConfiguration all,
        BackgroundTasks tasks,
        ElapsedTime time,
        List<PurgeListener> listeners)
        implements BackgroundTasks.Starter {

    private static final String PREFIX = "idempotency.purge.";

    @Override
    public void onApplicationEvent(StartupEvent event) {
        if (!configuration.isEnabled() || !all.isEnabled()) {
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

    /** Purges the stores in use, without creating others. A store whose last run still goes on starts no other. */
    private void purge() {
        stores.inUse()
                .forEach(store -> tasks.run(store, "The purge of store '" + store.name() + "'", () -> purge(store)));
    }

    private void purge(IdempotencyStore store) {
        PurgePace pace = new PurgePace(configuration.getTimePerSecond(), configuration.getBatchSize());
        long start = time.nanos();
        while (true) {
            int asked = pace.size();
            long began = time.nanos();
            int removed = store.purge(asked);
            Duration took = Duration.ofNanos(time.nanos() - began);
            tell(store, listener -> listener.onBatch(store.name(), took, removed));
            if (removed < asked) {
                Duration run = Duration.ofNanos(time.nanos() - start);
                tell(store, listener -> listener.onRun(store.name(), run));
                return;
            } else if (!tasks.pause(pace.pauseAfter(took))) {
                return;
            }
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

    /**
     * Paces one run: it takes the store for no more than its budget of each second, and pauses for the rest after each
     * batch. A batch that takes longer than a quarter of the budget holds up calls, so the next one is half as large; one
     * that takes less than an eighth makes the next one twice as large. No batch is smaller than the first: where even that
     * takes long, the commit takes long, and a run in smaller batches would fall behind the records that expire meanwhile.
     * Not thread-safe.
     */
    static final class PurgePace {

        private static final long SECOND = Duration.ofSeconds(1).toNanos();
        private static final int SMALLEST = 100;

        private final long budget;
        private final int largest;
        private int size;

        /** Creates the pace of a run with a budget of each second, at most the second, and a largest batch. */
        PurgePace(Duration budget, int largest) {
            this.budget = budget.toNanos();
            this.largest = largest;
            this.size = Math.min(SMALLEST, largest);
        }

        int size() {
            return size;
        }

        /** Adapts the size of the next batch, and returns how long to pause before it. */
        Duration pauseAfter(Duration took) {
            long nanos = took.toNanos();
            if (nanos > budget / 4) {
                size = Math.max(Math.min(SMALLEST, largest), size / 2);
            } else if (nanos < budget / 8) {
                size = (int) Math.min(largest, size * 2L);
            }
            return Duration.ofNanos((long) ((double) nanos / budget * (SECOND - budget)));
        }
    }
}

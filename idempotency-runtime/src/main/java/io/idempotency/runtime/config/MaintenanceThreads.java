package io.idempotency.runtime.config;

import io.idempotency.runtime.engine.ElapsedTime;
import io.idempotency.runtime.engine.Maintenance;
import io.idempotency.runtime.failure.RedactedThrowable;
import io.idempotency.runtime.store.IdempotencyStore;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Two threads for each store in use, started when an operation that uses the store is bound. Bodies that block for long
 * exhaust a fixed pool of the application, and a hanging store exhausts the threads that ask it: neither may prevent
 * the renewal of another store's leases. Thread-safe.
 */
@Singleton
final class MaintenanceThreads implements Maintenance {

    private static final Logger LOG = LoggerFactory.getLogger(MaintenanceThreads.class);
    private static final int THREADS = 2;

    private final ElapsedTime time;
    private final Map<IdempotencyStore, ScheduledThreadPoolExecutor> pools = new ConcurrentHashMap<>();

    /** The tasks that have not begun; a test that skips time runs them earlier. */
    private final Set<Task> tasks = ConcurrentHashMap.newKeySet();

    MaintenanceThreads(ElapsedTime time) {
        this.time = time;
        time.whenSkipped(this::runDue);
    }

    /** Starts the store's threads; throws when the system has no threads left. */
    void startFor(IdempotencyStore store) {
        pool(store);
    }

    @Override
    public void after(IdempotencyStore store, Duration delay, Runnable task) {
        Task later = new Task(store, time.nanos() + delay.toNanos(), task);
        tasks.add(later);
        pool(store).schedule(later, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** A task, which runs once only. */
    private final class Task implements Runnable {
        private final IdempotencyStore store;
        private final long dueNanos;
        private final Runnable action;

        Task(IdempotencyStore store, long dueNanos, Runnable action) {
            this.store = store;
            this.dueNanos = dueNanos;
            this.action = action;
        }

        @Override
        @SuppressWarnings("CatchingUnchecked") // a failure of one task must not stop the others
        public void run() {
            if (!tasks.remove(this)) {
                return;
            }
            try {
                action.run();
            } catch (Throwable e) {
                LOG.error(
                        "A background task of the idempotency library failed; the others go on",
                        RedactedThrowable.of(e));
            }
        }
    }

    private void runDue() {
        long now = time.nanos();
        tasks.stream()
                .filter(task -> task.dueNanos - now <= 0)
                .forEach(task -> pool(task.store).execute(task));
    }

    @PreDestroy
    void close() {
        pools.values().forEach(ScheduledThreadPoolExecutor::shutdown);
    }

    private ScheduledThreadPoolExecutor pool(IdempotencyStore store) {
        return pools.computeIfAbsent(store, this::started);
    }

    private ScheduledThreadPoolExecutor started(IdempotencyStore store) {
        ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(THREADS, task -> {
            Thread thread = new Thread(task, "idempotency-" + store.name());
            thread.setDaemon(true);
            return thread;
        });
        pool.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        pool.prestartAllCoreThreads();
        return pool;
    }
}

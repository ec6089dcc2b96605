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
 * the renewal of another store's leases, nor may bodies that end all at once that of their own store's. Thread-safe.
 */
@Singleton
final class MaintenanceThreads implements Maintenance {

    private static final Logger LOG = LoggerFactory.getLogger(MaintenanceThreads.class);

    private final ElapsedTime time;
    private final Map<Use, ScheduledThreadPoolExecutor> threads = new ConcurrentHashMap<>();

    /** The tasks that have not begun; a test that skips time runs them earlier. */
    private final Set<Task> tasks = ConcurrentHashMap.newKeySet();

    MaintenanceThreads(ElapsedTime time) {
        this.time = time;
        time.whenSkipped(this::runDue);
    }

    /** What a thread is for. */
    private record Use(IdempotencyStore store, boolean renews) {}

    /** Starts the store's threads; throws when the system has no threads left. */
    void startFor(IdempotencyStore store) {
        thread(new Use(store, true));
        thread(new Use(store, false));
    }

    @Override
    public void after(IdempotencyStore store, Duration delay, Runnable task) {
        after(new Use(store, false), delay, task);
    }

    @Override
    public void renewal(IdempotencyStore store, Duration delay, Runnable task) {
        after(new Use(store, true), delay, task);
    }

    private void after(Use use, Duration delay, Runnable task) {
        Task later = new Task(use, time.nanos() + delay.toNanos(), task);
        tasks.add(later);
        thread(use).schedule(later, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** A task, which runs once only. */
    private final class Task implements Runnable {
        private final Use use;
        private final long dueNanos;
        private final Runnable action;

        Task(Use use, long dueNanos, Runnable action) {
            this.use = use;
            this.dueNanos = dueNanos;
            this.action = action;
        }

        @Override
        public void run() {
            if (!tasks.remove(this)) {
                return;
            }
            try {
                action.run();
            } catch (Throwable e) { // a failure of one task must not stop the others
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
                .forEach(task -> thread(task.use).execute(task));
    }

    @PreDestroy
    void close() {
        threads.values().forEach(ScheduledThreadPoolExecutor::shutdown);
    }

    private ScheduledThreadPoolExecutor thread(Use use) {
        return threads.computeIfAbsent(use, MaintenanceThreads::started);
    }

    private static ScheduledThreadPoolExecutor started(Use use) {
        ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "idempotency-" + use.store().name());
            thread.setDaemon(true);
            return thread;
        });
        pool.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        pool.prestartAllCoreThreads();
        return pool;
    }
}

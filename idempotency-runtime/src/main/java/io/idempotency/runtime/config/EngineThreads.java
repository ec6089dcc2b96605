package io.idempotency.runtime.config;

import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The engine's own threads. They are no beans of an executor's type: other modules wrap every such bean, to measure it
 * or to carry the caller's context along, which the store must not see.
 */
@Singleton
final class EngineThreads {

    private static final int UPKEEP_THREADS = 4;

    private final ScheduledThreadPoolExecutor scheduler =
            new ScheduledThreadPoolExecutor(1, task -> daemon(task, "idempotency-scheduler"));
    private final ThreadPoolExecutor upkeep = new ThreadPoolExecutor(
            UPKEEP_THREADS,
            UPKEEP_THREADS,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> daemon(task, "idempotency-upkeep"));

    EngineThreads() {
        scheduler.setRemoveOnCancelPolicy(true); // renewals are scheduled and cancelled with every call
        upkeep.allowCoreThreadTimeOut(true);
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** One thread for delays. */
    ScheduledExecutorService scheduler() {
        return scheduler;
    }

    /**
     * A body that blocks for long uses up a fixed pool of the application, and then its own lease could not be renewed. A
     * few threads are enough: what they wait for is one statement at a time.
     */
    Executor upkeep() {
        return upkeep;
    }

    @PreDestroy
    void shutDown() {
        scheduler.shutdownNow();
        upkeep.shutdown();
    }
}

package io.idempotency.runtime.config;

import io.idempotency.runtime.ExecutionServices;
import io.idempotency.runtime.FailureClassifier;
import io.idempotency.runtime.IdempotencyEngine;
import io.idempotency.runtime.SparingTimer;
import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.propagation.PropagatedContext;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Builds the engine with the application's executors. */
@Factory
final class EngineFactory {

    private static final String UPKEEP = "idempotency-upkeep";
    private static final int UPKEEP_THREADS = 4;

    @Singleton
    IdempotencyEngine executor(
            @Named("idempotency") ScheduledThreadPoolExecutor scheduler,
            @Named(TaskExecutors.BLOCKING) ExecutorService blocking,
            @Named(UPKEEP) ThreadPoolExecutor upkeep,
            List<FailureClassifier> classifiers,
            IdempotencyConfiguration configuration,
            KeyedDigests digests) {
        return new IdempotencyEngine(new ExecutionServices(
                new SparingTimer(scheduler, System::nanoTime),
                task -> blocking.execute(() -> withoutContext(task)),
                upkeep,
                System::nanoTime,
                () -> UUID.randomUUID().toString(),
                () -> ThreadLocalRandom.current().nextDouble(),
                classifiers,
                maxWaitersPerKey(configuration),
                digests::derivedKey));
    }

    private static int maxWaitersPerKey(IdempotencyConfiguration configuration) {
        int most = configuration.getMaxWaitersPerKey();
        if (most < 0) {
            throw new ConfigurationException(
                    IdempotencyConfiguration.PREFIX + ".max-waiters-per-key: " + most + " is negative");
        }
        return most;
    }

    /**
     * Micronaut's executors carry the caller's context along. The store must not see it: a connection that the caller
     * holds would be used by two threads. Bodies bring theirs themselves.
     */
    private static void withoutContext(Runnable task) {
        try (PropagatedContext.Scope ignored = PropagatedContext.empty().propagate()) {
            task.run();
        }
    }

    /**
     * A body that blocks for long uses up a fixed pool of the application, and then its own lease could not be renewed. A
     * few threads are enough: what they wait for is one statement at a time.
     */
    @Singleton
    @Named(UPKEEP)
    @Bean(preDestroy = "shutdown", typed = ThreadPoolExecutor.class)
    ThreadPoolExecutor upkeep() {
        ThreadPoolExecutor upkeep = new ThreadPoolExecutor(
                UPKEEP_THREADS,
                UPKEEP_THREADS,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> daemon(task, UPKEEP));
        upkeep.allowCoreThreadTimeOut(true);
        return upkeep;
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** One thread for delays: renewals are scheduled and cancelled with every call, so cancelled ones must not pile up. */
    @Singleton
    @Named("idempotency")
    @Bean(preDestroy = "shutdownNow", typed = ScheduledThreadPoolExecutor.class)
    ScheduledThreadPoolExecutor scheduler() {
        ScheduledThreadPoolExecutor scheduler =
                new ScheduledThreadPoolExecutor(1, task -> daemon(task, "idempotency-scheduler"));
        scheduler.setRemoveOnCancelPolicy(true);
        return scheduler;
    }

    @Singleton
    @Named(Stores.MEMORY)
    MemoryIdempotencyStore memory() {
        return new MemoryIdempotencyStore(InstantSource.system());
    }
}

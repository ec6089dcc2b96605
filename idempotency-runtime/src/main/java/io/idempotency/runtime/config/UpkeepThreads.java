package io.idempotency.runtime.config;

import io.idempotency.runtime.engine.Textless;
import io.idempotency.runtime.engine.Upkeep;
import io.idempotency.runtime.store.IdempotencyStore;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A few threads for each store in use, started with the operations that use it. A body that blocks for long uses up a fixed pool
 * of the application, and a store that hangs uses up the threads that ask it: neither must keep another store's leases from
 * being renewed. Few are enough: what they wait for is one statement at a time. Thread-safe.
 */
@Singleton
final class UpkeepThreads implements Upkeep {

    private static final Logger LOG = LoggerFactory.getLogger(UpkeepThreads.class);
    private static final int RENEWING = 2;
    private static final int RETRYING = 1;

    private final Map<IdempotencyStore, Pools> pools = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** What one store has. */
    private record Pools(ExecutorService renewals, ExecutorService retries) {
        void shutdown() {
            renewals.shutdown();
            retries.shutdown();
        }
    }

    /** Fails where there are no threads to be had. */
    void startFor(IdempotencyStore store) {
        of(store);
    }

    @Override
    public Executor renewals(IdempotencyStore store) {
        return surviving(of(store).renewals());
    }

    @Override
    public Executor retries(IdempotencyStore store) {
        return surviving(of(store).retries());
    }

    @PreDestroy
    void close() {
        closed = true;
        pools.values().forEach(Pools::shutdown);
    }

    private Pools of(IdempotencyStore store) {
        Pools known = pools.get(store);
        return known != null ? known : pools.computeIfAbsent(store, this::started);
    }

    private Pools started(IdempotencyStore store) {
        String name = "idempotency-" + store.name();
        // a store that does not block is asked from any thread; only what bodies do about a lost claim needs one
        Pools started = new Pools(pool(name + "-renewal", RENEWING), pool(name + "-retry", RETRYING));
        if (closed) {
            started.shutdown();
        }
        return started;
    }

    private static ExecutorService pool(String name, int threads) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads, Math.max(1, threads), 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, name);
                    thread.setDaemon(true);
                    return thread;
                });
        pool.prestartAllCoreThreads();
        return pool;
    }

    /** What a task throws must not end its thread: there may be none to replace it. */
    private static Executor surviving(ExecutorService pool) {
        return task -> pool.execute(() -> {
            try {
                task.run();
            } catch (Throwable e) {
                LOG.error("A background task of the idempotency library failed; the others go on", Textless.of(e));
            }
        });
    }
}

package io.idempotency.runtime.soak;

import io.idempotency.runtime.engine.Upkeep;
import io.idempotency.runtime.store.IdempotencyStore;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads that are there before they are needed, as the library's own. */
final class SoakUpkeep implements Upkeep {

    private final Executor renewals = pool(2);
    private final Executor retries = pool(1);

    @SuppressWarnings("CatchingUnchecked") // a thread must outlive what its task throws
    private static Executor pool(int threads) {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(threads, threads, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "upkeep");
                    thread.setDaemon(true);
                    return thread;
                });
        pool.prestartAllCoreThreads();
        return task -> pool.execute(() -> {
            try {
                task.run();
            } catch (Throwable e) {
                // as the library: the thread goes on
            }
        });
    }

    @Override
    public Executor renewals(IdempotencyStore store) {
        return renewals;
    }

    @Override
    public Executor retries(IdempotencyStore store) {
        return retries;
    }
}

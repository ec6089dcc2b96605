package io.idempotency.runtime.soak;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What a soak runs short of. */
enum Trouble {
    /** The executor has no room for most tasks. */
    FULL_EXECUTOR {
        @Override
        Executor executor() {
            return pool(1, 1, new ArrayBlockingQueue<>(1), Trouble::daemon);
        }
    },
    /** The executor throws an Error, before it has taken a task or after. */
    BROKEN_EXECUTOR {
        @Override
        Executor executor() {
            Executor honest = super.executor();
            return task -> {
                int dice = ThreadLocalRandom.current().nextInt(4);
                if (dice != 0) {
                    honest.execute(task);
                }
                if (dice < 2) {
                    throw new InternalError("made by a test");
                }
            };
        }
    },
    /** A thread factory makes no thread, in both ways that it may. */
    NO_THREADS {
        @Override
        Executor executor() {
            return pool(0, 8, new SynchronousQueue<>(), Trouble::perhaps);
        }
    },
    /** The operating system gives no more threads, because their stacks fill the address space. */
    ADDRESS_SPACE {
        @Override
        Executor executor() {
            return pool(0, 100, new SynchronousQueue<>(), task -> {
                Thread thread = new Thread(null, task, "large", 1L << 30);
                thread.setDaemon(true);
                return thread;
            });
        }
    };

    /** Where bodies run. Most troubles leave that alone. */
    Executor executor() {
        return pool(4, 4, new LinkedBlockingQueue<>(), Trouble::daemon);
    }

    private static Executor pool(int threads, int most, BlockingQueue<Runnable> queue, ThreadFactory factory) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(threads, most, 1, TimeUnit.MILLISECONDS, queue, factory);
        pool.prestartAllCoreThreads();
        return pool;
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "body");
        thread.setDaemon(true);
        return thread;
    }

    private static @Nullable Thread perhaps(Runnable task) {
        int dice = ThreadLocalRandom.current().nextInt(3);
        if (dice == 0) {
            throw new OutOfMemoryError("unable to create native thread (made by a test)");
        }
        return dice == 1 ? null : daemon(task);
    }
}

package io.idempotency.runtime.engine;

import io.idempotency.runtime.store.IdempotencyStore;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/** Runs tasks on the thread that brings them, one after the other as another thread would, rather than one inside the other. */
final class SameThread implements Executor, Upkeep {

    private final ThreadLocal<Queue<Runnable>> running = new ThreadLocal<>();

    @Override
    public void execute(Runnable task) {
        Queue<Runnable> queue = running.get();
        if (queue != null) {
            queue.add(task);
            return;
        }
        Queue<Runnable> mine = new ArrayDeque<>();
        running.set(mine);
        try {
            for (Runnable next = task; next != null; next = mine.poll()) {
                next.run();
            }
        } finally {
            running.remove();
        }
    }

    @Override
    public Executor renewals(IdempotencyStore store) {
        return this;
    }

    @Override
    public Executor retries(IdempotencyStore store) {
        return this;
    }
}

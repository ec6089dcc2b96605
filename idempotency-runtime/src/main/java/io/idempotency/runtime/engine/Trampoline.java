package io.idempotency.runtime.engine;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs tasks one after the other, on the stack of whoever comes while none is running: what a task asks for on the way
 * follows it rather than nesting in it. Thread-safe.
 */
final class Trampoline {

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger due = new AtomicInteger();

    /** The task has run when this returns, or will have when the one that is running now has. It must not throw. */
    void run(Runnable task) {
        tasks.add(task);
        if (due.getAndIncrement() > 0) {
            return;
        }
        do {
            Runnable next = tasks.remove();
            next.run();
        } while (due.decrementAndGet() > 0);
    }
}

package io.idempotency.runtime.engine;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The attempts at one store: a few run at a time, those that matter first, however many are due. Thread-safe. */
final class BoundedQueue {

    /** Fewer than there are threads for upkeep: a store that hangs must not keep another one's leases from being renewed. */
    static final int MOST_AT_ONCE = 2;

    private final Queue<Task> urgent = new ArrayDeque<>();
    private final Queue<Task> others = new ArrayDeque<>();
    private final AtomicInteger calls = new AtomicInteger();
    private int running;
    private volatile boolean failing;

    /** An attempt. */
    interface Task {
        /**
         * Starts it; does not throw.
         *
         * @param done to be run once it is over, from any thread
         */
        void start(Runnable done);
    }

    void add(Task task, boolean first) {
        synchronized (this) {
            (first ? urgent : others).add(task);
        }
        startDue();
    }

    /** Takes note that the store failed; true when it had not failed since it last answered. */
    boolean failed() {
        boolean first = !failing;
        failing = true;
        return first;
    }

    void answered() {
        failing = false;
    }

    private void done() {
        synchronized (this) {
            running--;
        }
        startDue();
    }

    /** Whoever comes while another thread is at it leaves the work to that one: no recursion when tasks end at once. */
    private void startDue() {
        if (calls.getAndIncrement() > 0) {
            return;
        }
        do {
            for (Task task = next(); task != null; task = next()) {
                task.start(this::done);
            }
        } while (calls.decrementAndGet() > 0);
    }

    private synchronized @Nullable Task next() {
        if (running == MOST_AT_ONCE) {
            return null;
        }
        Task task = urgent.isEmpty() ? others.poll() : urgent.poll();
        if (task != null) {
            running++;
        }
        return task;
    }
}

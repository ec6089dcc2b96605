package io.idempotency.runtime.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes its scheduler only for what is due earlier than all before. Most delays are cancelled long before they are over (a
 * body of a millisecond needs no renewal of its lease), and to wake a thread for each costs more than the rest of a call.
 * Thread-safe.
 */
public final class SparingTimer implements DelayTimer {

    private static final Logger LOG = LoggerFactory.getLogger(SparingTimer.class);

    private final ScheduledExecutorService scheduler;
    private final LongSupplier nanoTime;

    /** Guarded by this, as the rest. */
    private final TreeSet<Task> tasks = new TreeSet<>(Task.BY_DUE_TIME);

    private long added;
    private @Nullable WakeUp next;

    /**
     * A timer.
     *
     * @param scheduler runs the tasks, and rejects them when it is shut down
     * @param nanoTime elapsed time, as the scheduler measures it
     */
    public SparingTimer(ScheduledExecutorService scheduler, LongSupplier nanoTime) {
        this.scheduler = scheduler;
        this.nanoTime = nanoTime;
    }

    private record Task(long dueNanos, long number, Runnable action) {
        /** Differences, because {@code System.nanoTime} may overflow. */
        static final Comparator<Task> BY_DUE_TIME = (one, other) -> one.dueNanos == other.dueNanos
                ? Long.compare(one.number, other.number)
                : Long.signum(one.dueNanos - other.dueNanos);
    }

    /**
     * {@inheritDoc}
     *
     * @throws RejectedExecutionException when the scheduler is shut down
     */
    @Override
    public synchronized Runnable after(Duration delay, Runnable action) {
        if (scheduler.isShutdown()) {
            throw new RejectedExecutionException("The scheduler is shut down");
        }
        long now = nanoTime.getAsLong();
        Task task = new Task(now + Math.max(0, delay.toNanos()), ++added, action);
        tasks.add(task);
        if (next == null || task.dueNanos - next.dueNanos < 0) {
            wakeUpFor(task, now);
        }
        return () -> cancel(task);
    }

    /** The scheduler keeps its wake-up: the next call needs it, and if there is none it finds nothing to do. */
    private synchronized void cancel(Task task) {
        tasks.remove(task);
    }

    private void wakeUpFor(Task task, long now) {
        if (next != null) {
            next.future.cancel(false);
        }
        next = new WakeUp(task.dueNanos, now);
    }

    private synchronized List<Task> due(WakeUp wakeUp) {
        List<Task> due = new ArrayList<>();
        if (wakeUp != next) {
            return due; // an earlier one was asked for in the meantime
        }
        next = null;
        long now = nanoTime.getAsLong();
        while (!tasks.isEmpty() && tasks.first().dueNanos - now <= 0) {
            due.add(tasks.pollFirst());
        }
        if (!tasks.isEmpty() && !scheduler.isShutdown()) {
            wakeUpFor(tasks.first(), now);
        }
        return due;
    }

    /** One awaited moment. */
    private final class WakeUp implements Runnable {
        private final long dueNanos;
        private final Future<?> future;

        WakeUp(long dueNanos, long now) {
            this.dueNanos = dueNanos;
            this.future = scheduler.schedule(this, dueNanos - now, TimeUnit.NANOSECONDS);
        }

        @Override
        @SuppressWarnings("CatchingUnchecked") // one task's failure is not another's
        public void run() {
            for (Task task : due(this)) {
                try {
                    task.action.run();
                } catch (Throwable e) {
                    LOG.error("A delayed task of the idempotency library failed", e);
                }
            }
        }
    }
}

package io.idempotency.runtime.engine;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Time that passes when a test says so: the store's clock, the engine's nanoTime and its timer in one. */
final class VirtualTime implements InstantSource, DelayTimer {

    private static final int MOST_AT_ONE_MOMENT = 200_000;
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final TreeSet<Task> tasks =
            new TreeSet<>(Comparator.comparingLong(Task::dueNanos).thenComparingLong(Task::number));
    private volatile int thrown;
    private long nanos;
    private long numbered;
    private int atThisMoment;

    private record Task(long dueNanos, long number, Runnable action) {}

    @Override
    public synchronized Instant instant() {
        return START.plusNanos(nanos);
    }

    synchronized long nanoTime() {
        return nanos;
    }

    @Override
    public synchronized Runnable after(Duration delay, Runnable action) {
        Task task = new Task(nanos + Math.max(0, delay.toNanos()), ++numbered, action);
        tasks.add(task);
        return () -> remove(task);
    }

    @Override
    public Runnable every(Duration period, BooleanSupplier task) {
        return new Repeated(period, task)::cancel;
    }

    /** As the engine's own timer: what it throws does not end it. */
    private final class Repeated {
        private final Duration period;
        private final BooleanSupplier task;
        private Runnable cancelNext;
        private boolean cancelled;

        Repeated(Duration period, BooleanSupplier task) {
            this.period = period;
            this.task = task;
            this.cancelNext = after(period, this::run);
        }

        private void run() {
            boolean again = true;
            try {
                again = task.getAsBoolean();
            } catch (Throwable e) {
                thrown++;
            } finally {
                if (again && !cancelled) {
                    cancelNext = after(period, this::run);
                }
            }
        }

        void cancel() {
            cancelled = true;
            cancelNext.run();
        }
    }

    /** How often a repeated task has thrown. */
    int thrown() {
        return thrown;
    }

    private synchronized void remove(Task task) {
        tasks.remove(task);
    }

    /** Runs what falls due on the way, each at its own time. */
    void pass(Duration duration) {
        long end = nanoTime() + duration.toNanos();
        for (Task due = nextUntil(end); due != null; due = nextUntil(end)) {
            due.action().run();
        }
        to(end);
    }

    private synchronized @Nullable Task nextUntil(long end) {
        if (tasks.isEmpty() || tasks.first().dueNanos() > end) {
            return null;
        }
        Task next = Objects.requireNonNull(tasks.pollFirst());
        atThisMoment = next.dueNanos() > nanos ? 0 : atThisMoment + 1;
        if (atThisMoment > MOST_AT_ONE_MOMENT) {
            throw new AssertionError("Time stands still: tasks ask for the next one at once, and for ever");
        }
        nanos = Math.max(nanos, next.dueNanos());
        return next;
    }

    private synchronized void to(long end) {
        nanos = end;
    }

    synchronized int pendingTasks() {
        return tasks.size();
    }
}

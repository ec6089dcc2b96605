package io.idempotency.runtime.engine;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread that looks through what is asked for. It exists from the start, so that nothing has to be created when threads
 * or memory are short, and it never ends by what a task throws. Most delays are cancelled long before they are over (a body of a
 * millisecond needs no renewal of its lease): adding and cancelling one is an entry in a set, and wakes no thread unless it is
 * due before everything else, the next look included. Thread-safe.
 */
public final class EngineTimer implements DelayTimer, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EngineTimer.class);

    /** However much is due: tasks of the same moment share one look. */
    private static final long SHORTEST_PAUSE_NANOS = 5_000_000;

    /** A wake-up that was lost, for whatever reason, costs no more than this. */
    private static final long LONGEST_PAUSE_NANOS = 1_000_000_000;

    private final ElapsedTime time;
    private final Set<Entry> entries = ConcurrentHashMap.newKeySet();
    private final Thread thread = new Thread(this::loop, "idempotency-timer");
    private volatile long wakeAt;
    private volatile boolean closed;
    private volatile long rounds;

    /**
     * Starts the thread; fails where there can be none.
     *
     * @param time decides what is due
     */
    public EngineTimer(ElapsedTime time) {
        this.time = time;
        time.whenSkipped(() -> LockSupport.unpark(thread));
        wakeAt = time.nanos() + Long.MAX_VALUE / 2;
        thread.setDaemon(true);
        thread.start();
    }

    /** By identity. The JVM's own hash costs a call into its runtime for each new object. */
    private static final class Entry {
        private final int hash = ThreadLocalRandom.current().nextInt();
        private final long periodNanos;
        private final BooleanSupplier task;
        private volatile long dueNanos;

        Entry(long dueNanos, long periodNanos, BooleanSupplier task) {
            this.dueNanos = dueNanos;
            this.periodNanos = periodNanos;
            this.task = task;
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    @Override
    public Runnable after(Duration delay, Runnable task) {
        return add(delay.toNanos(), 0, () -> {
            task.run();
            return false;
        });
    }

    @Override
    public Runnable every(Duration period, BooleanSupplier task) {
        return add(period.toNanos(), Math.max(1, period.toNanos()), task);
    }

    private Runnable add(long delayNanos, long periodNanos, BooleanSupplier task) {
        if (closed) {
            throw new RejectedExecutionException("The timer is closed");
        }
        Entry entry = new Entry(time.nanos() + Math.max(0, delayNanos), periodNanos, task);
        entries.add(entry);
        if (entry.dueNanos - wakeAt < 0) {
            wakeAt = entry.dueNanos; // before the waking: a thread that reads this may rely on it
            LockSupport.unpark(thread);
        }
        return () -> entries.remove(entry);
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }

    /** How often the thread has looked. */
    long rounds() {
        return rounds;
    }

    long threadId() {
        return thread.getId();
    }

    private void loop() {
        while (!closed) {
            try {
                round();
            } catch (Throwable e) { // without memory even the look may fail; the next one may not
                report(e);
            }
        }
        entries.clear();
    }

    /** A thread that adds an entry during the look unparks, and so the pause after it ends at once. */
    private void round() {
        long begun = time.nanos();
        rounds++;
        wakeAt = begun + Long.MAX_VALUE / 2;
        long next = begun + LONGEST_PAUSE_NANOS;
        for (Entry entry : entries) {
            if (entry.dueNanos - time.nanos() <= 0) {
                run(entry);
            }
            if (entry.dueNanos - next < 0) {
                next = entry.dueNanos;
            }
        }
        wakeAt = next;
        park(next);
        parkUntil(begun + SHORTEST_PAUSE_NANOS);
    }

    private void park(long untilNanos) {
        long left = untilNanos - time.nanos();
        if (left > 0 && !closed) {
            LockSupport.parkNanos(this, left);
        }
    }

    private void parkUntil(long untilNanos) {
        while (!closed && untilNanos - time.nanos() > 0) {
            park(untilNanos);
        }
    }

    /** The next time is known before the task runs, whatever becomes of that. */
    private void run(Entry entry) {
        boolean again = entry.periodNanos > 0;
        if (!again) {
            entry.dueNanos = time.nanos() + Long.MAX_VALUE / 2; // it is no reason to wake up any more
            entries.remove(entry);
        }
        try {
            again = entry.task.getAsBoolean();
        } catch (Throwable e) {
            report(e);
        }
        if (!again) {
            entry.dueNanos = time.nanos() + Long.MAX_VALUE / 2;
            entries.remove(entry);
        } else {
            entry.dueNanos = time.nanos() + entry.periodNanos;
        }
    }

    /** The logger needs memory too. */
    private static void report(Throwable failure) {
        try {
            LOG.error("A delayed task of the idempotency library failed; the others go on", Textless.of(failure));
        } catch (Throwable e) {
            // there is nothing left to say it with
        }
    }
}

package io.idempotency.jdbc;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cancels statements that take longer than they may. A driver's timer wakes its thread when a statement begins and once more when
 * it ends, which takes longer than a small statement; here one thread looks at what runs some times a second, and no thread is
 * woken. Thread-safe.
 */
final class Overdue {

    private static final Logger LOG = LoggerFactory.getLogger(Overdue.class);
    private static final long LOOK_NANOS = 100_000_000;

    /** After so many looks at nothing the thread ends. */
    private static final int IDLE_LOOKS = 100;

    private final Executor cancelling;
    private final Set<Running> running = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean watched = new AtomicBoolean();

    /** Cancelling may take long: it opens a connection. */
    Overdue(Executor cancelling) {
        this.cancelling = cancelling;
    }

    /** By identity. */
    private static final class Running {
        private final Statement statement;
        private final long dueNanos;

        Running(Statement statement, long dueNanos) {
            this.statement = statement;
            this.dueNanos = dueNanos;
        }
    }

    /**
     * Watches a statement.
     *
     * @return to be run when it is over; null when it cannot be watched, and the driver has to
     */
    @Nullable
    Runnable begins(Statement statement, int seconds) {
        Running begun = new Running(statement, System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds));
        running.add(begun);
        if (watched.get() || !watched.compareAndSet(false, true) || started()) {
            return () -> running.remove(begun);
        }
        running.remove(begun);
        return null;
    }

    /** False where there is no thread. */
    private boolean started() {
        try {
            Thread thread = new Thread(this::watch, "idempotency-statements");
            thread.setDaemon(true);
            thread.start();
            return true;
        } catch (RuntimeException | Error e) {
            watched.set(false);
            return false;
        }
    }

    /** A statement that begins while it ends starts it again: added before the look at the flag, which is taken back before the last look. */
    private void watch() {
        int idle = 0;
        while (true) {
            idle = running.isEmpty() ? idle + 1 : 0;
            if (idle > IDLE_LOOKS) {
                watched.set(false);
                if (running.isEmpty() || !watched.compareAndSet(false, true)) {
                    return;
                }
            }
            LockSupport.parkNanos(this, LOOK_NANOS);
            look();
        }
    }

    private void look() {
        long now = System.nanoTime();
        for (Running each : running) {
            try {
                if (each.dueNanos - now <= 0 && running.remove(each)) {
                    cancelling.execute(() -> cancel(each.statement));
                }
            } catch (RuntimeException | Error e) { // the others go on being watched
                LOG.debug("A statement that takes too long could not be cancelled; its connection is given up soon", e);
            }
        }
    }

    private static void cancel(Statement statement) {
        try {
            statement.cancel();
        } catch (SQLException | RuntimeException e) {
            LOG.debug("A statement could not be cancelled; its connection is given up soon", e);
        }
    }
}

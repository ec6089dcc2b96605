package io.idempotency.jdbc.connection;

import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.SettlementSignals;
import io.idempotency.runtime.store.SettlementSignals.Subscription;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Tells waiting callers of settlements: on one connection and one thread for all of them, which are there while callers wait, and for
 * a while afterwards. Without it they poll. Thread-safe; listening never blocks.
 */
public final class SettledNotifications implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SettledNotifications.class);

    /** The thread's name. */
    public static final String THREAD = "idempotency-notifications";

    /** How long the connection is kept for the next caller that waits. */
    public static final Duration IDLE = Duration.ofMinutes(1);

    private static final Duration SILENCE = Duration.ofSeconds(10);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private final @Nullable Callable<PostgresNotifications> source;
    private final Duration idle;
    private final SettlementSignals.Listeners listeners = new SettlementSignals.Listeners();
    private final CountDownLatch closing = new CountDownLatch(1);
    private @Nullable Thread thread;
    private @Nullable PostgresNotifications hearing;

    /** Before the next attempt, ever longer until one works; of the thread that listens. */
    private Duration pause = Duration.ZERO;

    private long failedNanos;

    /**
     * Listens when the first caller waits.
     *
     * @param source opens a connection that hears; null where the database says nothing
     * @param idle how long it is kept without a waiting caller
     */
    public SettledNotifications(@Nullable Callable<PostgresNotifications> source, Duration idle) {
        this.source = source;
        this.idle = idle;
    }

    /** Whether a claim of that record is to mark it as waited for. */
    public boolean heard(RecordId id) {
        return listeners.hear(id);
    }

    public Subscription listen(RecordId id, Runnable look) {
        Subscription subscription = listeners.add(id, look);
        begin();
        return subscription;
    }

    private synchronized void begin() {
        Callable<PostgresNotifications> from = source;
        if (from != null && thread == null && closing.getCount() > 0) {
            Thread starting = new Thread(() -> run(from), THREAD);
            starting.setDaemon(true);
            starting.start();
            thread = starting;
        }
    }

    private void run(Callable<PostgresNotifications> from) {
        while (!over() && !closesWithin(pause.minusNanos(System.nanoTime() - failedNanos))) {
            hear(from);
        }
    }

    @SuppressWarnings("CatchingUnchecked")
    private void hear(Callable<PostgresNotifications> from) {
        if (listeners.isEmpty()) {
            return; // they went away during the pause
        }
        try (PostgresNotifications opened = from.call()) {
            hear(opened);
        } catch (Throwable e) { // whatever it was: this thread goes on, or there would be no listening any more
            report(e);
        }
    }

    /** Decides in one step with {@link #begin}, so that no caller listens without a thread. */
    private synchronized boolean over() {
        if (closing.getCount() > 0 && !listeners.isEmpty()) {
            return false;
        }
        thread = null;
        return true;
    }

    private void hear(PostgresNotifications opened) throws SQLException {
        use(opened);
        try {
            listeners.live(true);
            long busy = System.nanoTime();
            while (System.nanoTime() - busy < idle.toNanos()) {
                List<String> settled = opened.next(SILENCE.compareTo(idle) < 0 ? SILENCE : idle);
                settled.forEach(listeners::heard);
                if (settled.isEmpty()) {
                    opened.check();
                }
                if (!pause.isZero()) {
                    pause = Duration.ZERO;
                    LOG.info("PostgreSQL's notifications are heard again.");
                }
                if (!listeners.isEmpty()) {
                    busy = System.nanoTime();
                }
            }
        } finally {
            use(null);
            listeners.live(false);
        }
    }

    private synchronized void use(@Nullable PostgresNotifications opened) throws SQLException {
        if (closing.getCount() == 0 && opened != null) {
            throw new SQLException("The application shuts down");
        }
        hearing = opened;
    }

    /** A warning once, until it worked again. */
    private void report(Throwable failure) {
        boolean news = pause.isZero();
        Duration twice = pause.multipliedBy(2);
        pause = news ? FIRST_PAUSE : twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
        failedNanos = System.nanoTime();
        if (closing.getCount() > 0) {
            LOG.atLevel(news ? Level.WARN : Level.DEBUG)
                    .log(
                            "PostgreSQL's notifications cannot be heard ({}), so callers that wait for a duplicate of another"
                                    + " node ask about five times a second; trying again in {} if somebody waits then."
                                    + " Where that cannot work, idempotency.jdbc.notifications: false says so.",
                            failure.toString(),
                            pause);
        }
    }

    private boolean closesWithin(Duration atMost) {
        try {
            return closing.await(pause.isZero() ? 0 : atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return true; // only the JVM's end interrupts this thread
        }
    }

    @Override
    public synchronized void close() {
        closing.countDown();
        if (hearing != null) {
            try {
                hearing.close();
            } catch (SQLException e) {
                LOG.debug("The connection that listens did not end in order", e);
            }
        }
    }
}

package io.idempotency.jdbc;

import io.idempotency.jdbc.NotificationSource.Hearing;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.SettlementListeners;
import io.idempotency.runtime.store.SettlementSignals.Subscription;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * By which callers that wait hear of settlements: one connection and one thread for all of them, there while somebody
 * waits and for a while afterwards. Without it they poll. Thread-safe; listening never blocks.
 */
final class SettledNotifications implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SettledNotifications.class);
    private static final Duration SILENCE = Duration.ofSeconds(10);
    /** How long the connection is kept for the next who waits. */
    static final Duration IDLE = Duration.ofMinutes(1);

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private final @Nullable NotificationSource source;
    private final Duration idle;
    private final SettlementListeners listeners = new SettlementListeners();
    private final CountDownLatch closing = new CountDownLatch(1);
    private @Nullable Thread thread;
    private @Nullable Hearing hearing;

    /** Null where the database says nothing. */
    SettledNotifications(@Nullable NotificationSource source, Duration idle) {
        this.source = source;
        this.idle = idle;
    }

    boolean heard(RecordId id) {
        return listeners.hear(id);
    }

    Subscription listen(RecordId id, Runnable look) {
        Subscription subscription = listeners.add(id, look);
        begin();
        return subscription;
    }

    private synchronized void begin() {
        NotificationSource from = source;
        if (from != null && thread == null && closing.getCount() > 0) {
            thread = new Thread(() -> run(from), "idempotency-notifications");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void run(NotificationSource from) {
        Duration pause = FIRST_PAUSE;
        while (!over()) {
            try (Hearing opened = from.open()) {
                pause = FIRST_PAUSE;
                hear(opened);
            } catch (SQLException | RuntimeException | LinkageError e) {
                report(e, pause);
                if (closesWithin(pause)) {
                    return;
                }
                pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : pause;
            }
        }
    }

    /** Decides in one step with {@link #begin}, so that nobody listens without a thread. */
    private synchronized boolean over() {
        if (closing.getCount() > 0 && !listeners.isEmpty()) {
            return false;
        }
        thread = null;
        return true;
    }

    private void hear(Hearing opened) throws SQLException {
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
                if (!listeners.isEmpty()) {
                    busy = System.nanoTime();
                }
            }
        } finally {
            use(null);
            listeners.live(false);
        }
    }

    private synchronized void use(@Nullable Hearing opened) throws SQLException {
        if (closing.getCount() == 0 && opened != null) {
            throw new SQLException("The application shuts down");
        }
        hearing = opened;
    }

    private void report(Throwable failure, Duration pause) {
        if (closing.getCount() > 0) {
            LOG.warn(
                    "PostgreSQL's notifications cannot be heard ({}), so callers that wait for a duplicate of another node"
                            + " ask up to four times a second; trying again in {} if somebody waits then. Where that"
                            + " cannot work, idempotency.jdbc.notifications: false says so.",
                    failure.toString(),
                    pause);
        }
    }

    private boolean closesWithin(Duration pause) {
        try {
            return closing.await(pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return true; // nobody but the JVM's end interrupts this thread
        }
    }

    @Override
    public synchronized void close() {
        closing.countDown();
        if (hearing != null) {
            hearing.close();
        }
    }
}

package io.idempotency.jdbc;

import io.idempotency.jdbc.NotificationSource.Hearing;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.SettlementSignals;
import io.idempotency.runtime.store.SettlementSignals.Subscription;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * By which callers that wait hear of settlements: one connection and one thread for all of them, there while somebody
 * waits and for a while afterwards. Without it they poll. Thread-safe; listening never blocks.
 */
final class SettledNotifications implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SettledNotifications.class);
    static final String THREAD = "idempotency-notifications";

    private static final Duration SILENCE = Duration.ofSeconds(10);
    /** How long the connection is kept for the next who waits. */
    static final Duration IDLE = Duration.ofMinutes(1);

    private final @Nullable NotificationSource source;
    private final Duration idle;
    private final SettlementSignals.Listeners listeners = new SettlementSignals.Listeners();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Retries retries = new Retries();
    private @Nullable Thread thread;
    private @Nullable Hearing hearing;

    /** Null where the database says nothing. */
    SettledNotifications(@Nullable NotificationSource source, Duration idle) {
        this.source = source;
        this.idle = idle;
    }

    static SettledNotifications none() {
        return new SettledNotifications(null, IDLE);
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
            Thread starting = new Thread(() -> run(from), THREAD);
            starting.setDaemon(true);
            starting.start();
            thread = starting;
        }
    }

    private void run(NotificationSource from) {
        while (!over() && !closesWithin(retries.due())) {
            hear(from);
        }
    }

    @SuppressWarnings("CatchingUnchecked")
    private void hear(NotificationSource from) {
        if (listeners.isEmpty()) {
            return; // they went away during the pause
        }
        try (Hearing opened = from.open()) {
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
                if (retries.worked()) {
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

    private synchronized void use(@Nullable Hearing opened) throws SQLException {
        if (closing.getCount() == 0 && opened != null) {
            throw new SQLException("The application shuts down");
        }
        hearing = opened;
    }

    /** A warning once, until it worked again. */
    private void report(Throwable failure) {
        boolean news = retries.failed();
        if (closing.getCount() > 0) {
            LOG.atLevel(news ? Level.WARN : Level.DEBUG)
                    .log(
                            "PostgreSQL's notifications cannot be heard ({}), so callers that wait for a duplicate of another"
                                    + " node ask about five times a second; trying again in {} if somebody waits then."
                                    + " Where that cannot work, idempotency.jdbc.notifications: false says so.",
                            failure.toString(),
                            retries.pause());
        }
    }

    private boolean closesWithin(Duration pause) {
        try {
            return closing.await(pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return true; // only the JVM's end interrupts this thread
        }
    }

    @Override
    public synchronized void close() {
        closing.countDown();
        if (hearing != null) {
            hearing.close();
        }
    }

    /** When to try again what fails: ever later, until it worked. For one thread at a time. */
    private static final class Retries {

        private static final Duration FIRST = Duration.ofSeconds(1);
        private static final Duration LONGEST = Duration.ofMinutes(1);

        private Duration pause = Duration.ZERO;
        private long failedNanos;

        /** How long to wait before the next attempt; zero when it may begin. */
        Duration due() {
            Duration left = pause.minusNanos(System.nanoTime() - failedNanos);
            return pause.isZero() || left.isNegative() ? Duration.ZERO : left;
        }

        /** How long after a failure the next attempt begins. */
        Duration pause() {
            return pause;
        }

        /** True for the first failure since it worked. */
        boolean failed() {
            boolean news = pause.isZero();
            Duration twice = pause.multipliedBy(2);
            pause = news ? FIRST : twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
            failedNanos = System.nanoTime();
            return news;
        }

        /** True when it had failed before. */
        boolean worked() {
            boolean news = !pause.isZero();
            pause = Duration.ZERO;
            return news;
        }
    }
}

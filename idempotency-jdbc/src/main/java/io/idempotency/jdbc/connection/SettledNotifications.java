package io.idempotency.jdbc.connection;

import io.idempotency.jdbc.sql.Sql;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.SettlementSignals;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Notifies waiting callers of settled records, by PostgreSQL's LISTEN and NOTIFY. One connection and one thread serve
 * all callers, while any waits and for a while afterwards. Thread-safe; {@link #listen} never blocks.
 */
public final class SettledNotifications implements SettlementSignals, AutoCloseable {

    public static final String THREAD = "idempotency-notifications";

    /** How long the connection is kept after the last caller stopped waiting. */
    public static final Duration IDLE = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(SettledNotifications.class);

    private static final Duration PROOF = Duration.ofSeconds(2);
    private static final Duration SILENCE = Duration.ofSeconds(10);

    /** The pause after a failure, in which callers poll. */
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private static final int CHECK_SECONDS = 5;

    private final OwnConnections own;
    private final ConnectionSource others;
    private final CommandTimeout limit;
    private final String channel;
    private final Duration idle;
    private final Listeners listeners = new Listeners();
    private @Nullable Thread thread;
    private volatile boolean closed;
    private volatile boolean failing;

    /**
     * Creates the notifications. Listening begins when the first caller waits.
     *
     * @param own lends the connection that listens
     * @param others lends connections as for the statements that settle records
     */
    public SettledNotifications(
            OwnConnections own, ConnectionSource others, CommandTimeout limit, String channel, Duration idle) {
        this.own = own;
        this.others = others;
        this.limit = limit;
        this.channel = channel;
        this.idle = idle;
    }

    /** Tells whether a caller listens to the record, so that a claim must mark it as waited for. */
    public boolean heard(RecordId id) {
        return listeners.hear(id);
    }

    @Override
    public Subscription listen(RecordId id, Runnable look) {
        Subscription subscription = listeners.add(id, look);
        begin();
        return subscription;
    }

    private synchronized void begin() {
        if (thread == null && !closed) {
            thread = new Thread(this::run, THREAD);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void run() {
        while (!over()) {
            try {
                hear();
            } catch (Throwable e) { // the thread must go on: only this one listens
                if (!closed) {
                    report(e);
                    LockSupport.parkNanos(PAUSE.toNanos());
                }
            }
        }
    }

    /** Tells whether the thread ends. Synchronized like {@link #begin}, so that no caller listens without a thread. */
    private synchronized boolean over() {
        if (!closed && !listeners.isEmpty()) {
            return false;
        }
        thread = null;
        return true;
    }

    private void hear() throws SQLException {
        Connection connection = own.hold();
        try {
            limit.on(connection, held -> {
                held.setClientInfo("ApplicationName", "idempotency " + channel); // shown to operators
                return Sql.execute(held, "LISTEN \"" + channel + '"');
            });
            prove(connection);
            listeners.live(true);
            hear(connection);
        } finally {
            listeners.live(false);
            own.end(connection);
        }
    }

    private void hear(Connection connection) throws SQLException {
        long busy = System.nanoTime();
        while (System.nanoTime() - busy < idle.toNanos()) {
            List<String> settled = next(connection, SILENCE.compareTo(idle) < 0 ? SILENCE : idle);
            settled.forEach(listeners::heard);
            if (settled.isEmpty() && !connection.isValid(CHECK_SECONDS)) {
                throw new SQLException("The connection that listens is not answered any more");
            }
            if (failing) {
                failing = false;
                LOG.info("PostgreSQL's notifications are heard again.");
            }
            if (!listeners.isEmpty()) {
                busy = System.nanoTime();
            }
        }
    }

    /**
     * Throws unless a notification from another connection arrives here: a pooler in transaction mode accepts LISTEN,
     * and then nothing arrives. Drops other notifications, since all callers look when this is over.
     */
    private void prove(Connection connection) throws SQLException {
        String probe = "probe " + UUID.randomUUID();
        others.lend(limit, other -> Sql.execute(other, "NOTIFY \"" + channel + "\", '" + probe + '\''));
        long deadline = System.nanoTime() + PROOF.toNanos();
        while (!next(connection, Duration.ofNanos(deadline - System.nanoTime())).contains(probe)) {
            if (System.nanoTime() >= deadline) {
                throw new SQLException("LISTEN was accepted, but a NOTIFY on another connection was not heard within "
                        + PROOF + ": a pooler in transaction mode is in between");
            }
        }
    }

    /** Returns notifications as soon as there are any; empty when none came in time. */
    private static List<String> next(Connection connection, Duration atMost) throws SQLException {
        // zero would wait for ever
        PGNotification[] heard =
                connection.unwrap(PGConnection.class).getNotifications((int) Math.max(1, atMost.toMillis()));
        return heard == null
                ? List.of()
                : Arrays.stream(heard).map(PGNotification::getParameter).toList();
    }

    /** Logs the first failure in a row as a warning. */
    private void report(Throwable failure) {
        LOG.atLevel(failing ? Level.DEBUG : Level.WARN)
                .log(
                        "PostgreSQL's notifications cannot be heard ({}), so callers that wait for a duplicate of another"
                                + " node ask about five times a second; trying again in {} if somebody waits then."
                                + " Where that cannot work, idempotency.jdbc.notifications: false says so.",
                        failure.toString(),
                        PAUSE);
        failing = true;
    }

    /** Lets the thread end when the pool is closed, which aborts the connection that it waits for. */
    @Override
    public void close() {
        closed = true;
    }
}

package io.idempotency.jdbc.connection;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Cancels statements that are not done in time. PostgreSQL's driver can do so by itself, but wakes a thread for each
 * statement, which takes a seventh of a replay's time. This looks at all statements a few times a second, and not at all
 * while there are none. Thread-safe.
 */
public final class OverdueStatements {

    private static final long LOOK_MILLIS = 250;

    private final Map<Statement, Long> endNanos = new ConcurrentHashMap<>();
    private final AtomicBoolean looking = new AtomicBoolean();
    private final Executor later;

    /** Creates a watch; to cancel a statement blocks a thread of the executor for as long as the server does not answer. */
    public OverdueStatements(Executor blocking) {
        this.later = CompletableFuture.delayedExecutor(LOOK_MILLIS, TimeUnit.MILLISECONDS, blocking);
    }

    /** Cancels the statement after the time, unless {@link #done} is called before. */
    void watch(Statement statement, long seconds) {
        endNanos.put(statement, System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds));
        lookLater();
    }

    void done(Statement statement) {
        endNanos.remove(statement);
    }

    private void lookLater() {
        if (!looking.get() && looking.compareAndSet(false, true)) {
            later.execute(this::look);
        }
    }

    private void look() {
        looking.set(false);
        long now = System.nanoTime();
        endNanos.forEach((statement, end) -> {
            if (now - end >= 0) {
                cancel(statement);
            }
        });
        if (!endNanos.isEmpty()) {
            lookLater();
        }
    }

    private static void cancel(Statement statement) {
        try {
            statement.cancel(); // does nothing when the statement is done meanwhile
        } catch (SQLException e) {
            // the connection's network time-out ends the wait
        }
    }
}

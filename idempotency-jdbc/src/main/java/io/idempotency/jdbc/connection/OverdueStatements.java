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
 * statement, which takes a seventh of a replay's time. This looks at all statements a few times a second, on the JVM's
 * thread for delays, and not at all while there are none. Thread-safe.
 */
public final class OverdueStatements {

    private static final long LOOK_MILLIS = 250;

    private static final Executor LATER =
            CompletableFuture.delayedExecutor(LOOK_MILLIS, TimeUnit.MILLISECONDS, Runnable::run);

    private final Map<Statement, Long> endNanos = new ConcurrentHashMap<>();
    private final AtomicBoolean looking = new AtomicBoolean();

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
            LATER.execute(this::look);
        }
    }

    private void look() {
        looking.set(false);
        long now = System.nanoTime();
        endNanos.forEach((statement, end) -> {
            if (now - end >= 0 && endNanos.remove(statement, end)) {
                cancel(statement);
            }
        });
        if (!endNanos.isEmpty()) {
            lookLater();
        }
    }

    /** Cancels on a thread of its own, because the driver asks the server, which may not answer. */
    private static void cancel(Statement statement) {
        Thread thread = new Thread(
                () -> {
                    try {
                        statement.cancel(); // does nothing when the statement is done meanwhile
                    } catch (SQLException | RuntimeException e) {
                        // the connection's network time-out ends the wait
                    }
                },
                "idempotency-cancel");
        thread.setDaemon(true);
        thread.start();
    }
}

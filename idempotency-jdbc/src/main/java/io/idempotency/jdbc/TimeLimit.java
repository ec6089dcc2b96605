package io.idempotency.jdbc;

import java.io.Serial;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds how long a caller waits for a connection and for the answer to a statement. Nothing is sent for a caller that
 * has given up. Thread-safe.
 *
 * @param timeout how long each of them may take ({@code idempotency.jdbc.command-timeout})
 * @param opening waits for connections on behalf of the callers
 * @param overdue cancels statements
 */
record TimeLimit(Duration timeout, Executor opening, Overdue overdue) {

    private static final Logger LOG = LoggerFactory.getLogger(TimeLimit.class);

    /** More connections than these are not waited for at once; a later caller waits for a thread as well. */
    private static final int THREADS = 16;

    /** The first connections, and the statements that make the table. */
    private static final Duration STARTING = Duration.ofSeconds(30);

    private static final long IDLE_SECONDS = 10;

    private static final long LONGEST_SECONDS = Integer.MAX_VALUE / 1000 - 1;
    private static final int UNCHANGED = -1;
    private static final Runnable NOTHING = () -> {};

    /** The waiting caller is to end: no limit was too short. */
    static final class Interrupted extends SQLTransientConnectionException {

        @Serial
        private static final long serialVersionUID = 1L;

        Interrupted(String what) {
            super(
                    "The calling thread was interrupted while it waited for " + what + ". Nothing was sent to the"
                            + " idempotency store's database; if this was a claim, the body did not run.",
                    "08001");
        }
    }

    /** Opens a connection, or waits for one. */
    interface Opening {
        Connection open() throws SQLException;
    }

    static TimeLimit of(Duration timeout) {
        ThreadPoolExecutor opening = new ThreadPoolExecutor(
                THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
                    Thread thread = new Thread(work, "idempotency-connections");
                    thread.setDaemon(true);
                    return thread;
                });
        opening.allowCoreThreadTimeOut(true);
        return new TimeLimit(timeout, opening, new Overdue(opening));
    }

    /** For a statement that may wait for another transaction first. */
    TimeLimit plus(Duration wait) {
        return new TimeLimit(timeout.plus(wait), opening, overdue);
    }

    /** For what happens once, when the application starts. */
    TimeLimit starting() {
        return timeout.compareTo(STARTING) < 0 ? new TimeLimit(STARTING, opening, overdue) : this;
    }

    /** The caller closes the connection. One that comes too late is closed here, and nothing was sent on it. */
    Connection open(Opening source) throws SQLException {
        CompletableFuture<Connection> handedOver = new CompletableFuture<>();
        opening.execute(() -> open(source, handedOver));
        try {
            return handedOver.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | InterruptedException e) {
            boolean interrupted = e instanceof InterruptedException;
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            if (handedOver.completeExceptionally(e)) {
                throw interrupted
                        ? new Interrupted("a connection")
                        : new SQLTransientConnectionException(
                                "no connection within idempotency.jdbc.command-timeout (" + timeout + ")", "08001", e);
            }
            return openedMeanwhile(handedOver);
        } catch (ExecutionException e) {
            throw failure(e);
        }
    }

    private static void open(Opening source, CompletableFuture<Connection> handedOver) {
        if (handedOver.isDone()) {
            return; // the caller gave up while this waited for a thread
        }
        try {
            Connection connection = source.open();
            if (!handedOver.complete(connection)) {
                connection.close();
            }
        } catch (SQLException | RuntimeException | LinkageError e) {
            handedOver.completeExceptionally(e);
        }
    }

    private static Connection openedMeanwhile(CompletableFuture<Connection> handedOver) throws SQLException {
        try {
            return handedOver.get();
        } catch (ExecutionException e) {
            throw failure(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e); // it is complete
        }
    }

    private static SQLException failure(ExecutionException e) {
        Throwable cause = e.getCause();
        return cause instanceof SQLException failure
                ? failure
                : new SQLTransientConnectionException("no connection: " + cause, "08001", cause);
    }

    /**
     * Gives the connection up when the server does not answer, and leaves its own limit as it was. A thread that was interrupted
     * before is so afterwards: since JDK 21 the socket of a virtual one would be closed, and what its body did not recorded.
     */
    <T> T on(Connection connection, ConnectionSource.Work<T> work) throws SQLException {
        boolean interrupted = Thread.interrupted();
        int before = UNCHANGED;
        try {
            before = shorten(connection);
            return work.on(connection);
        } finally {
            if (before != UNCHANGED) {
                restore(connection, before);
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Answers what to restore. */
    private int shorten(Connection connection) throws SQLException {
        try {
            int before = connection.getNetworkTimeout();
            int wanted = (int) Math.min(Integer.MAX_VALUE, (seconds() + 1L) * 1000);
            if (before > 0 && before <= wanted) {
                return UNCHANGED;
            }
            connection.setNetworkTimeout(Runnable::run, wanted);
            return before;
        } catch (SQLFeatureNotSupportedException e) {
            return UNCHANGED; // the statement's own limit remains
        }
    }

    private static void restore(Connection connection, int before) {
        try {
            connection.setNetworkTimeout(Runnable::run, before);
        } catch (SQLException e) {
            LOG.debug("The connection broke, so its network time-out is not restored", e);
        }
    }

    /**
     * Lets the server end the statement. It comes a second before the connection is given up, because afterwards the
     * connection is still good and the statement has certainly changed nothing.
     *
     * @return to be run when the statement is over
     */
    Runnable on(Statement statement, Dialect dialect) throws SQLException {
        if (dialect.limitsStatements()) {
            Runnable over = dialect.cancelsOnlyWhatRuns() ? overdue.begins(statement, seconds()) : null;
            if (over != null) {
                return over;
            }
            statement.setQueryTimeout(seconds());
        }
        return NOTHING;
    }

    private int seconds() {
        return (int) Math.min(LONGEST_SECONDS, (timeout.toMillis() + 999) / 1000);
    }
}

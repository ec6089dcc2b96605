package io.idempotency.jdbc;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.reflect.ClassUtils;
import io.micronaut.jdbc.BasicJdbcConfiguration;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections beside the pool, for a caller that is inside a transaction of the same data source: a few at a time, kept
 * for the next such caller for a while. None is lent before it is proved that they reach the pool's table.
 */
final class UnpooledConnections implements ConnectionSource, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(UnpooledConnections.class);
    private static final int AT_ONCE = 4;
    private static final String REMEDIES =
            "Call the operation outside the transaction, or declare it transactional = true,"
                    + " or give the store a data source of its own with idempotency.jdbc.datasource";

    private static final Duration KEPT = Duration.ofSeconds(30);
    /** One that worked so shortly ago is not asked whether it still does, as in pools. */
    private static final Duration TRUSTED = Duration.ofMillis(500);

    private static final Duration PROBE = Duration.ofMinutes(1);
    static final boolean HIKARI =
            ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", UnpooledConnections.class.getClassLoader());

    private final String datasource;
    private final @Nullable DataSource pool;
    private final @Nullable BasicJdbcConfiguration configuration;
    private final TimeLimit limit;

    private final Together together;

    /** Those that wait come in the order in which they asked. */
    private final Semaphore places = new Semaphore(AT_ONCE, true);

    private final Deque<Idle> idle = new ArrayDeque<>();
    private boolean sweeping;
    private boolean closed;
    private volatile @Nullable String unproved = "its table was not compared with the pool's yet";

    private record Idle(Connection connection, long sinceNanos) {}

    /**
     * Opens nothing yet.
     *
     * @param datasource its name
     * @param pool the data source itself
     * @param configuration what the application says of it; null when it makes the data source by itself
     * @param limit how long a caller waits for one, and for an answer on it
     */
    UnpooledConnections(
            String datasource,
            @Nullable DataSource pool,
            @Nullable BasicJdbcConfiguration configuration,
            TimeLimit limit) {
        this.datasource = datasource;
        this.pool = pool;
        this.configuration = configuration;
        this.limit = limit;
        this.together = new Together(limit.timeout(), AT_ONCE);
    }

    @Override
    public Together together() {
        return together;
    }

    @Override
    public <T> T lend(Work<T> work) throws SQLException {
        String reason = unproved;
        if (reason != null) {
            throw refused("the connections beside the pool are not used, because " + reason, null);
        }
        takePlace();
        try {
            Connection connection = kept();
            return lend(connection == null ? openFor(limit) : connection, work);
        } finally {
            places.release();
        }
    }

    private void takePlace() throws SQLException {
        try {
            if (!places.tryAcquire(limit.timeout().toNanos(), TimeUnit.NANOSECONDS)) {
                throw new SQLTransientConnectionException(
                        "none within idempotency.jdbc.command-timeout (" + limit.timeout() + ") of the " + AT_ONCE
                                + " connections beside the pool, which calls inside a transaction use; nothing was sent. "
                                + REMEDIES,
                        "08001");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TimeLimit.Interrupted("a connection beside the pool");
        }
    }

    /** One whose statement failed is not used again: opening another is cheaper than finding out what is left of it. */
    private <T> T lend(Connection connection, Work<T> work) throws SQLException {
        boolean good = false;
        try {
            T answer = limit.on(connection, opened -> {
                opened.setAutoCommit(true);
                return work.on(opened);
            });
            good = true;
            return answer;
        } finally {
            if (!(good && keep(connection))) {
                connection.close();
            }
        }
    }

    private synchronized boolean keep(Connection connection) {
        if (closed) {
            return false;
        }
        idle.push(new Idle(connection, System.nanoTime()));
        if (!sweeping) {
            sweepLater();
        }
        return true;
    }

    private void sweepLater() {
        sweeping = true;
        CompletableFuture.delayedExecutor(KEPT.toMillis(), TimeUnit.MILLISECONDS, limit.opening())
                .execute(() -> close(unused(KEPT)));
    }

    /** Those that were idle for so long, the oldest first. */
    private synchronized List<Idle> unused(Duration span) {
        List<Idle> unused = new ArrayList<>();
        while (!idle.isEmpty() && System.nanoTime() - idle.getLast().sinceNanos >= span.toNanos()) {
            unused.add(idle.removeLast());
        }
        sweeping = false;
        if (!idle.isEmpty()) {
            sweepLater();
        }
        return unused;
    }

    private @Nullable Connection kept() throws SQLException {
        for (Idle next = poll(); next != null; next = poll()) {
            boolean justUsed = System.nanoTime() - next.sinceNanos < TRUSTED.toNanos();
            if (justUsed || limit.on(next.connection, connection -> connection.isValid(1))) {
                return next.connection;
            }
            close(List.of(next));
        }
        return null;
    }

    private synchronized @Nullable Idle poll() {
        return idle.poll();
    }

    private static void close(List<Idle> connections) {
        for (Idle unused : connections) {
            try {
                unused.connection.close();
            } catch (SQLException e) {
                LOG.debug("A connection beside the pool could not be closed", e);
            }
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        close(unused(Duration.ZERO));
    }

    /** For what looks at the database before it is proved. */
    <T> T lendUnproved(Work<T> work) throws SQLException {
        TimeLimit within = limit.starting();
        try (Connection connection = openFor(within)) {
            return within.on(connection, opened -> {
                opened.setAutoCommit(true);
                return work.on(opened);
            });
        }
    }

    /**
     * Writes a record here and looks for it on the pool: another table would give a key that is claimed inside a
     * transaction and outside of one two owners.
     *
     * @param pooled lends the pool's connections, or the one that the caller holds
     * @param tables the records as they are reached through connections
     */
    void prove(ConnectionSource pooled, Dialect dialect, Function<ConnectionSource, RecordTable> tables) {
        RecordTable here = tables.apply(this::lendUnproved);
        RecordTable there = tables.apply(pooled);
        String value = UUID.randomUUID().toString();
        RecordId id = RecordId.of("idempotency-probe", null, null, value);
        Claim probe = new Claim(id, "idempotency-probe", "probe", value, PROBE, PROBE, false);
        JdbcStoreException failure = null;
        Ownership written = null;
        try {
            ClaimResult answer = here.claim(probe, false);
            written = answer instanceof ClaimResult.Acquired own ? new Ownership(id, value, own.fence()) : null;
        } catch (JdbcStoreException e) {
            failure = e;
        }
        try {
            compare(failure, there, id, dialect);
        } finally {
            if (written != null) {
                here.remove(written);
            }
        }
    }

    /** A table that is missing on both sides may be made later. */
    private void compare(@Nullable JdbcStoreException failure, RecordTable there, RecordId id, Dialect dialect) {
        boolean missingHere = failure != null && missing(failure, dialect);
        if (failure == null || missingHere) {
            boolean missingThere = false;
            boolean found = false;
            try {
                found = there.find(id) != null;
            } catch (JdbcStoreException e) {
                if (!missing(e, dialect)) {
                    throw e;
                }
                missingThere = true;
            }
            if (!found && !(missingHere && missingThere)) {
                throw anotherTable();
            }
        }
        if (failure == null) {
            unproved = null;
            return;
        }
        unproved = "at start-up it could not be proved that they reach the same table as the pool: "
                + failure.getMessage();
        LOG.warn(
                "Calls inside a transaction on the data source '{}' will be refused until a restart, because {}",
                datasource,
                unproved);
    }

    private static boolean missing(JdbcStoreException e, Dialect dialect) {
        return e.getCause() instanceof SQLException cause && dialect.noTable(cause);
    }

    private ConfigurationException anotherTable() {
        return new ConfigurationException("Inside a transaction the JDBC idempotency store opens connections beside the"
                + " pool of the data source '" + datasource + "', and they reach another table than the pool does: a"
                + " record that was written on one was not found on the other, so that one key could be claimed twice."
                + " The application does not start. Put whatever selects the database and schema (schema, catalog,"
                + " connection-init-sql, driver properties) into datasources." + datasource + ".url, or name the schema"
                + " in idempotency.jdbc.table, or give the store a data source of its own with"
                + " idempotency.jdbc.datasource.");
    }

    private Connection openFor(TimeLimit within) throws SQLException {
        try {
            return within.open(this::openNow);
        } catch (TimeLimit.Interrupted e) {
            throw e;
        } catch (SQLException e) {
            throw refused("another one could not be opened: " + e.getMessage(), e);
        }
    }

    /** One that the caller closes. */
    Connection open() throws SQLException {
        return limit.open(this::openNow);
    }

    /** Bounds what is done with one that the caller opened. */
    <T> T within(Connection opened, Work<T> work) throws SQLException {
        return limit.on(opened, work);
    }

    private Connection openNow() throws SQLException {
        Connection likeThePools = HIKARI ? HikariConnections.open(pool) : null;
        if (likeThePools != null) {
            return likeThePools;
        }
        String url = configuration == null ? null : configuration.getUrl();
        if (configuration == null || url == null || url.isBlank()) {
            throw new SQLException("datasources." + datasource + ".url, by which to open a connection, is not set");
        }
        return DriverManager.getConnection(url, configuration.getUsername(), configuration.getPassword());
    }

    private JdbcStoreException refused(String reason, @Nullable SQLException cause) {
        return new JdbcStoreException(
                "The call is inside a transaction on the data source '" + datasource
                        + "', whose connection a rollback would take the record with, and " + reason
                        + ". The record was not touched; if this was a claim, the body did not run. " + REMEDIES + '.',
                cause);
    }
}

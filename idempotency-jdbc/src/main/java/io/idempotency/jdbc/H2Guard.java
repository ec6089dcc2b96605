package io.idempotency.jdbc;

import io.idempotency.jdbc.connection.CommandTimeout;
import io.idempotency.jdbc.connection.JdbcStoreException;
import io.idempotency.jdbc.connection.OwnConnections;
import io.idempotency.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps H2's file open, and refuses calls once H2 closed it. H2 closes the file after a write error (a full disk) and
 * reopens it without WRITE_DELAY 0: commits that it answers then are written late or never. Thread-safe.
 */
final class H2Guard implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(H2Guard.class);

    /** Finds a version that loses committed rows when it compacts the file as the last connection closes. */
    private static final String LOSSY =
            "SELECT H2VERSION() FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = 'MAX_COMPACT_TIME'"
                    + " AND SETTING_VALUE <> '0' AND H2VERSION() LIKE '2.3.%'";

    /** H2's state for a database that closed its file, also on a server. */
    private static final String CLOSED = "90098";

    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final String datasource;
    private final OwnConnections own;
    private final boolean remote;
    private volatile Connection keeper;
    private long failedAt = System.nanoTime() - PAUSE_NANOS;
    private final boolean atOnce;
    private final boolean lossless;
    private @Nullable String shut;
    private volatile boolean closing;

    private H2Guard(String datasource, OwnConnections own) throws SQLException {
        this.datasource = datasource;
        this.own = own;
        this.keeper = own.hold();
        this.remote = keeper.getMetaData().getURL().matches("jdbc:h2:(tcp|ssl):.*");
        this.atOnce = writesAtOnce();
        this.lossless = closesWithoutLoss();
    }

    boolean durable() {
        return atOnce && lossless;
    }

    /** Opens a guard; null for a database in memory, and when no connection can be kept for the guard. */
    static @Nullable H2Guard open(String datasource, OwnConnections own, CommandTimeout within) throws SQLException {
        if (!own.lend(within, connection -> Sql.answer(connection, "SELECT DATABASE_PATH()") != null)) {
            return null;
        }
        try {
            return new H2Guard(datasource, own);
        } catch (SQLException e) {
            LOG.warn(
                    "No connection to the database of datasources.{} could be kept, so a file of H2 is not kept open:"
                            + " when H2 closes it, after a full disk for instance, claims can be forgotten and their"
                            + " operations can run AGAIN.",
                    datasource,
                    e);
            return null;
        }
    }

    /** Sets WRITE_DELAY 0, which the file does not keep: H2 otherwise writes a commit up to half a second late. */
    private boolean writesAtOnce() {
        try {
            Sql.execute(keeper, "SET WRITE_DELAY 0");
            return true;
        } catch (SQLException e) {
            LOG.warn(
                    "The H2 database of datasources.{}.url writes commits to its file late: a crash loses the claims of the"
                            + " last half second, and their operations can run AGAIN. Add ;WRITE_DELAY=0 to it, or"
                            + " let the store's user be an admin so that it can set it.",
                    datasource,
                    e);
            return false;
        }
    }

    private boolean closesWithoutLoss() throws SQLException {
        String version = Sql.answer(keeper, LOSSY);
        if (version != null) {
            LOG.warn(
                    "H2 {} of datasources.{}.url can lose committed rows when it closes its file: a restart of the application"
                            + " forgets claims, and their operations can run AGAIN. Use com.h2database:h2 2.4.240 or"
                            + " newer, or add ;MAX_COMPACT_TIME=0 to it.",
                    version,
                    datasource);
        }
        return version == null;
    }

    /**
     * Checks the file: before a claim, and again before the claim's answer is used.
     *
     * @throws JdbcStoreException once H2 has closed the file, until the application is started again
     */
    synchronized void check() {
        if (shut == null) {
            try {
                Sql.answer(keeper, "SELECT 1"); // isValid() stays true when the file is closed
                return;
            } catch (SQLException e) {
                if (remote
                        && lossless
                        && !CLOSED.equals(e.getSQLState())) { // the server went, and its file need not be closed
                    connectAgain(e);
                    return;
                }
                shut = "H2 closed the file of datasources." + datasource + ", or its server went (SQLState "
                        + e.getSQLState()
                        + "), for instance on a full disk. See to the disk, then start the application again.";
                if (!closing) {
                    LOG.error(
                            "The idempotency store takes no claims, which H2 would answer and not write: {}", shut, e);
                }
            }
        }
        throw new JdbcStoreException("The idempotency store is shut until the application is started again. If this"
                + " was a claim, the body did not run. " + shut);
    }

    private void connectAgain(SQLException lost) {
        SQLException why = lost;
        if (System.nanoTime() - failedAt >= PAUSE_NANOS) { // callers queue here
            try {
                Connection former = keeper;
                keeper = opened();
                own.end(former);
                return;
            } catch (SQLException e) {
                failedAt = System.nanoTime();
                why = e;
            }
        }
        throw new JdbcStoreException("The H2 server of datasources." + datasource + " does not answer. If this was a"
                + " claim, the body did not run. " + why);
    }

    private Connection opened() throws SQLException {
        Connection again = own.hold();
        try {
            if (atOnce) {
                Sql.execute(again, "SET WRITE_DELAY 0");
            }
            return again;
        } catch (SQLException e) {
            own.end(again);
            throw e;
        }
    }

    @Override
    public void close() {
        closing = true;
        try {
            keeper.close();
        } catch (SQLException e) {
            LOG.debug("H2 closed its file before", e);
        }
    }
}

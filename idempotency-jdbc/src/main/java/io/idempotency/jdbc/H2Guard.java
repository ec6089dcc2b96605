package io.idempotency.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds a file of H2 open, and shuts the store when H2 has closed it. After a write error (a full disk) H2 does close it,
 * and opens it anew for the next connection of the pool: without WRITE_DELAY 0, so that what is answered from then on is
 * written late or, while the disk is full, never. Thread-safe.
 */
final class H2Guard implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(H2Guard.class);

    private final String datasource;
    private final Connection keeper;
    private volatile @Nullable String shut;
    private volatile boolean closing;

    private H2Guard(String datasource, Connection keeper) {
        this.datasource = datasource;
        this.keeper = keeper;
    }

    /** Empty for a database in memory, and where no connection can be opened beside the pool. */
    static Optional<H2Guard> open(String datasource, UnpooledConnections unpooled, Durability durability)
            throws SQLException {
        Connection keeper;
        try {
            keeper = unpooled.open();
        } catch (SQLException e) {
            LOG.warn(
                    "No connection could be opened beside the pool of datasources.{}, so a file of H2 is not kept open:"
                            + " when H2 closes it, after a full disk for instance, claims can be forgotten and their"
                            + " operations can run AGAIN.",
                    datasource,
                    e);
            return Optional.empty();
        }
        keeper.setAutoCommit(true);
        if (Durability.file(keeper) == null) {
            keeper.close();
            return Optional.empty();
        }
        durability.ensure(Dialect.H2, keeper);
        return Optional.of(new H2Guard(datasource, keeper));
    }

    /**
     * Asked before a claim and again before its answer is believed: H2 opens a file anew only when it has closed it.
     *
     * @throws JdbcStoreException once it did, until the application is started again
     */
    void check() {
        if (shut == null) {
            ask();
        }
        String reason = shut;
        if (reason != null) {
            throw new JdbcStoreException(
                    "The idempotency store is shut until the application is started again, because H2 closed the file of"
                            + " datasources." + datasource + " (" + reason + "). H2 does so when it could not write,"
                            + " for instance on a full disk, and opens it anew without writing commits at once. If this"
                            + " was a claim, the body did not run. See to the disk, then start the application again.",
                    null);
        }
    }

    /** H2 tells only a statement: the connection says that it is open and valid. */
    private synchronized void ask() {
        if (shut != null) {
            return;
        }
        try (Statement statement = keeper.createStatement();
                ResultSet rows = statement.executeQuery("SELECT 1")) {
            rows.next();
        } catch (SQLException e) {
            shut = "SQLState " + e.getSQLState();
            if (!closing) {
                LOG.error(
                        "H2 closed the file of datasources.{} while the application was running. The idempotency store"
                                + " takes no claims until the application is started again: H2 would answer claims that"
                                + " it has not written. See to the disk, then start the application again.",
                        datasource,
                        e);
            }
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

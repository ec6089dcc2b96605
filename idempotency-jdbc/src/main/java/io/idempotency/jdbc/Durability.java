package io.idempotency.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether a claim that was answered survives the crash that it is there for. */
final class Durability {

    private static final Logger LOG = LoggerFactory.getLogger(Durability.class);
    private static final String FILE = "SELECT DATABASE_PATH()";

    /** Of a file that closing compacts: in memory there is no path. */
    private static final String COMPACTING_VERSION =
            "SELECT H2VERSION() FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = 'MAX_COMPACT_TIME'"
                    + " AND SETTING_VALUE <> '0' AND DATABASE_PATH() IS NOT NULL";

    private final String datasource;

    Durability(String datasource) {
        this.datasource = datasource;
    }

    /** True when nothing had to be warned of. */
    boolean ensure(Dialect dialect, Connection connection) throws SQLException {
        return switch (dialect) {
            case H2 -> {
                boolean inMemory = file(connection) == null;
                boolean atOnce = inMemory || writeAtOnce(connection);
                yield inMemory || (closesWithoutLoss(connection) && atOnce);
            }
            case POSTGRESQL ->
                commitsInTime(
                        connection,
                        "SHOW synchronous_commit",
                        List.of("off"),
                        "?options=-c%20synchronous_commit=on to datasources." + datasource + ".url");
            case MARIADB, MYSQL ->
                commitsInTime(
                        connection,
                        "SELECT @@innodb_flush_log_at_trx_commit",
                        List.of("0", "2"),
                        "innodb_flush_log_at_trx_commit=1 to the server's configuration");
            case ORACLE, SQL_SERVER -> {
                LOG.debug("Not asked whether commits are on disk when they are answered");
                yield true;
            }
        };
    }

    /** The file that a database of H2 is in; null in memory. */
    static @Nullable String file(Connection connection) throws SQLException {
        return read(connection, FILE);
    }

    /**
     * H2 answers a commit up to half a second before it writes it, unless told otherwise each time that it opens the file:
     * the setting that it keeps says 0 ever after, and does nothing.
     */
    private boolean writeAtOnce(Connection connection) {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET WRITE_DELAY 0");
            LOG.debug(
                    "Set WRITE_DELAY to 0 in the H2 database of datasources.{}, so that a claim survives a crash",
                    datasource);
            return true;
        } catch (SQLException e) {
            LOG.warn(
                    "The H2 database of datasources.{} writes commits to its file late: a crash loses the claims of the"
                            + " last half second, and their operations can run AGAIN. Add ;WRITE_DELAY=0 to"
                            + " datasources.{}.url, or let the store's user be an admin so that it can set it.",
                    datasource,
                    datasource,
                    e);
            return false;
        }
    }

    /** H2 2.3.232 loses rows that were committed long before, when the last connection is closed in an orderly way. */
    private boolean closesWithoutLoss(Connection connection) throws SQLException {
        @Nullable String version = read(connection, COMPACTING_VERSION);
        boolean lossy = version != null && version.startsWith("2.3.");
        if (lossy) {
            LOG.warn(
                    "H2 {} of datasources.{} can lose committed rows when it closes its file: a restart of the application"
                            + " forgets claims, and their operations can run AGAIN. Use com.h2database:h2 2.4.240 or"
                            + " newer, or add ;MAX_COMPACT_TIME=0 to datasources.{}.url.",
                    version,
                    datasource,
                    datasource);
        }
        return !lossy;
    }

    private boolean commitsInTime(Connection connection, String query, List<String> late, String cure)
            throws SQLException {
        boolean inTime = !late.contains(String.valueOf(read(connection, query)));
        if (!inTime) {
            LOG.warn(
                    "The server of datasources.{} answers commits before they are on disk ({} says {}): a crash of the"
                            + " server loses the claims of its last moments, and their operations can run AGAIN. Add"
                            + " {}.",
                    datasource,
                    query,
                    String.join(" or ", late),
                    cure);
        }
        return inTime;
    }

    private static @Nullable String read(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            return rows.next() ? rows.getString(1) : null;
        }
    }
}

package io.idempotency.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether a claim that was answered survives the crash that it is there for. */
final class Durability {

    private static final Logger LOG = LoggerFactory.getLogger(Durability.class);
    private static final String WRITE_DELAY =
            "SELECT SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = 'WRITE_DELAY'";

    /** Of a file that closing compacts: in memory there is no path. */
    private static final String COMPACTING_VERSION =
            "SELECT H2VERSION() FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = 'MAX_COMPACT_TIME'"
                    + " AND SETTING_VALUE <> '0' AND DATABASE_PATH() IS NOT NULL";

    private final String datasource;

    Durability(String datasource) {
        this.datasource = datasource;
    }

    void ensure(Dialect dialect, Connection connection) throws SQLException {
        switch (dialect) {
            case H2 -> {
                writeAtOnce(connection);
                warnOfLossyClose(connection);
            }
            case POSTGRESQL ->
                warnOfLateCommits(
                        connection,
                        "SHOW synchronous_commit",
                        List.of("off"),
                        "?options=-c%20synchronous_commit=on to datasources." + datasource + ".url");
            case MARIADB, MYSQL ->
                warnOfLateCommits(
                        connection,
                        "SELECT @@innodb_flush_log_at_trx_commit",
                        List.of("0", "2"),
                        "innodb_flush_log_at_trx_commit=1 to the server's configuration");
            case ORACLE, SQL_SERVER -> LOG.debug("Not asked whether commits are on disk when they are answered");
        }
    }

    /** H2 answers a commit up to half a second before it writes it, unless told otherwise; in memory it says 0. */
    private void writeAtOnce(Connection connection) throws SQLException {
        if ("0".equals(read(connection, WRITE_DELAY))) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET WRITE_DELAY 0");
            LOG.info(
                    "Set WRITE_DELAY to 0 in the H2 database of datasources.{}, so that a claim survives a crash",
                    datasource);
        } catch (SQLException e) {
            LOG.warn(
                    "The H2 database of datasources.{} writes commits to its file late: a crash loses the claims of the"
                            + " last half second, and their operations can run AGAIN. Add ;WRITE_DELAY=0 to"
                            + " datasources.{}.url, or let the store's user be an admin so that it can set it.",
                    datasource,
                    datasource,
                    e);
        }
    }

    /** H2 2.3.232 loses rows that were committed long before, when the last connection is closed in an orderly way. */
    private void warnOfLossyClose(Connection connection) throws SQLException {
        String version = read(connection, COMPACTING_VERSION);
        if (version.startsWith("2.3.")) {
            LOG.warn(
                    "H2 {} of datasources.{} can lose committed rows when it closes its file: a restart of the application"
                            + " forgets claims, and their operations can run AGAIN. Use com.h2database:h2 2.4.240 or"
                            + " newer, or add ;MAX_COMPACT_TIME=0 to datasources.{}.url.",
                    version,
                    datasource,
                    datasource);
        }
    }

    private void warnOfLateCommits(Connection connection, String query, List<String> late, String cure)
            throws SQLException {
        String setting = read(connection, query);
        if (late.contains(setting)) {
            LOG.warn(
                    "The server of datasources.{} answers commits before they are on disk ({} says {}): a crash of the"
                            + " server loses the claims of its last moments, and their operations can run AGAIN. Add"
                            + " {}.",
                    datasource,
                    query,
                    setting,
                    cure);
        }
    }

    private static String read(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            return rows.next() ? String.valueOf(rows.getString(1)) : "";
        }
    }
}

package io.idempotency.jdbc;

import io.idempotency.jdbc.JdbcStoreConfiguration.SchemaMode;
import io.idempotency.jdbc.Sql.Param;
import io.micronaut.context.exceptions.ConfigurationException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the table to this library's version where that is wanted, and refuses one that does not fit. Each version is one
 * numbered script per database; the last thing that a script adds is the column by which the version is known.
 */
final class Schema {

    /** A script of the jar, and the column that tells that it was run to its end. */
    private enum Version {
        RECORD("R__idempotency_001_record.sql", "id"),
        CHECKSUM("R__idempotency_002_checksum.sql", "checksum");

        private final String script;
        private final String mark;

        Version(String script, String mark) {
            this.script = script;
            this.mark = mark;
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(Schema.class);

    /** Nodes that start together make the same objects; the one that loses looks again. */
    private static final int ATTEMPTS = 10;

    private static final int NEWEST_ROWS = 100;

    /** What migration tools fill in. */
    private static final String PLACEHOLDER = "${idempotency}";

    private final Dialect dialect;
    private final TableName table;
    private final Statements sql;

    Schema(Dialect dialect, TableName table, Statements sql) {
        this.dialect = dialect;
        this.table = table;
        this.sql = sql;
    }

    /** True when it was looked at. */
    boolean ensure(SchemaMode mode, Connection connection) throws SQLException {
        if (mode == SchemaMode.NONE) {
            return false;
        }
        if (mode == SchemaMode.CREATE) {
            upgrade(connection);
        }
        Map<String, TableColumns.Found> columns = columns(connection);
        List<Version> missing = missing(columns);
        if (!missing.isEmpty()) {
            throw outdated(columns.isEmpty(), missing);
        }
        String problems = TableColumns.problems(dialect, columns);
        if (!problems.isEmpty()) {
            throw new ConfigurationException("The table " + table.qualified()
                    + " (idempotency.jdbc.table) does not fit this version of the library: " + problems
                    + ". Change these columns to what they are in a new table, or name another table:\n"
                    + script(dialect, table));
        }
        requireUniqueId(connection);
        refuseNewerRecords(connection);
        return true;
    }

    private void upgrade(Connection connection) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try (Statement statement = connection.createStatement()) {
                List<Version> missing = missing(columns(connection)); // which waits while another node alters the table
                if (missing.isEmpty()) {
                    return;
                }
                for (Version version : missing) {
                    run(statement, script(version));
                    LOG.info(
                            "Ran {} for the table {} of idempotency records (idempotency.jdbc.schema is create)",
                            version.script,
                            table.qualified());
                }
            } catch (SQLException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
                LOG.debug("Making the table {} failed, looking again", table.qualified(), e);
            }
        }
    }

    private static void run(Statement statement, String script) throws SQLException {
        for (String part : script.replaceAll("(?m)^--.*$", "").split(";", -1)) {
            if (!part.isBlank()) {
                statement.execute(part.strip());
            }
        }
    }

    private static List<Version> missing(Map<String, TableColumns.Found> columns) {
        return Arrays.stream(Version.values())
                .filter(version -> !columns.containsKey(version.mark))
                .toList();
    }

    /** Empty without a table. */
    private Map<String, TableColumns.Found> columns(Connection connection) throws SQLException {
        Map<String, TableColumns.Found> found = new TreeMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT * FROM " + table.qualified() + " WHERE 1 = 0")) {
            ResultSetMetaData columns = rows.getMetaData();
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                found.put(
                        columns.getColumnName(i).toLowerCase(Locale.ROOT),
                        new TableColumns.Found(columns.getColumnType(i), columns.getPrecision(i)));
            }
        } catch (SQLException e) {
            if (!dialect.noTable(e)) {
                throw e;
            }
        }
        return found;
    }

    /** A table that is partitioned by another column than the id takes two records of one key. */
    private void requireUniqueId(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(dialect.uniqueId())) {
            statement.setString(1, table.schema().orElse(""));
            statement.setString(2, table.simple());
            try (ResultSet unique = statement.executeQuery()) {
                if (!unique.next()) {
                    throw new ConfigurationException("In the table " + table.qualified()
                            + " (idempotency.jdbc.table) the column id alone is not unique, so two nodes could claim one"
                            + " key. The application does not start. Make id the primary key; partition the table, where"
                            + " it is, by the hash of id.");
                }
            }
        }
    }

    /** The records that are kept longest are the youngest, and the index finds them at once. */
    private void refuseNewerRecords(Connection connection) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(sql.newestFormat().text())) {
            sql.newestFormat().bind(statement, new StatementValues().with(Param.LIMIT, NEWEST_ROWS));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    if (rows.getInt(1) > Statements.FORMAT) {
                        throw new ConfigurationException("The table " + table.qualified()
                                + " (idempotency.jdbc.table) holds records of format " + rows.getInt(1)
                                + ", written by a newer version of the library; this one knows formats up to "
                                + Statements.FORMAT + ". Start the newer version.");
                    }
                }
            }
        }
    }

    private ConfigurationException outdated(boolean absent, List<Version> missing) {
        String problem = absent
                ? "does not exist"
                : "is of schema version " + (Version.values().length - missing.size())
                        + ", and this library needs version " + Version.values().length;
        String files = missing.stream().map(version -> version.script).collect(Collectors.joining(", "));
        return new ConfigurationException("The table " + table.qualified() + " (idempotency.jdbc.table) " + problem
                + ". The application does not start. Run the statements below, or with your migrations "
                + "the files of the same content (" + files + " in " + folder(dialect)
                + " of the jar), or set idempotency.jdbc.schema to create.\n"
                + missing.stream().map(this::script).collect(Collectors.joining("\n")));
    }

    /** The statements that make the table of this version, under the table's own name. */
    static String script(Dialect dialect, TableName table) {
        return Arrays.stream(Version.values())
                .map(version -> script(dialect, table, version))
                .collect(Collectors.joining("\n"));
    }

    private String script(Version version) {
        return script(dialect, table, version);
    }

    private static String script(Dialect dialect, TableName table, Version version) {
        return read("/" + folder(dialect) + version.script)
                .replace(PLACEHOLDER + "_", table.simple() + "_") // an index has the schema of its table
                .replace(PLACEHOLDER, table.qualified());
    }

    private static String folder(Dialect dialect) {
        return "idempotency/schema/" + dialect.key() + "/";
    }

    private static String read(String resource) {
        try (InputStream in = Schema.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("The idempotency-jdbc jar is incomplete: it has no " + resource);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the table where it is missing and wanted, and refuses one that does not fit. */
final class Schema {

    private static final Logger LOG = LoggerFactory.getLogger(Schema.class);

    /** Nodes that start together make the same objects; the one that loses looks again. */
    private static final int ATTEMPTS = 10;

    private static final int NEWEST_ROWS = 100;

    /** Of the table in the jar's statements. */
    private static final String NAME = "idempotency_record";

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
        if (mode == SchemaMode.CREATE && !exists(connection)) {
            create(connection);
        }
        if (!exists(connection)) {
            throw misfit("does not exist");
        }
        String problems = TableColumns.problems(dialect, columns(connection));
        if (!problems.isEmpty()) {
            throw misfit("does not fit this version of the library: " + problems);
        }
        refuseNewerRecords(connection);
        return true;
    }

    private void create(Connection connection) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try (Statement statement = connection.createStatement()) {
                for (String part : statements()) {
                    statement.execute(part);
                }
                LOG.info(
                        "Made the table {} for idempotency records (idempotency.jdbc.schema is create)",
                        table.qualified());
                return;
            } catch (SQLException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
                LOG.debug("Making the table {} failed, looking again", table.qualified(), e);
            }
        }
    }

    private boolean exists(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeQuery(all()).close();
            return true;
        } catch (SQLException e) {
            if (dialect.noTable(e)) {
                return false;
            }
            throw e;
        }
    }

    private Map<String, TableColumns.Found> columns(Connection connection) throws SQLException {
        Map<String, TableColumns.Found> found = new TreeMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(all())) {
            ResultSetMetaData columns = rows.getMetaData();
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                found.put(
                        columns.getColumnName(i).toLowerCase(Locale.ROOT),
                        new TableColumns.Found(columns.getColumnType(i), columns.getPrecision(i)));
            }
        }
        return found;
    }

    private String all() {
        return "SELECT * FROM " + table.qualified() + " WHERE 1 = 0";
    }

    /** The records that are kept longest are the youngest, and the index finds them at once. */
    private void refuseNewerRecords(Connection connection) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(sql.newestFormat().text())) {
            sql.newestFormat().bind(statement, new Values().with(Param.LIMIT, NEWEST_ROWS));
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

    private ConfigurationException misfit(String problem) {
        return new ConfigurationException("The table " + table.qualified() + " (idempotency.jdbc.table) " + problem
                + ". Run the statements below, or the file of the same content with your migrations, or set"
                + " idempotency.jdbc.schema to create.\n" + script(dialect, table));
    }

    /** The statements that make the table, as they lie in the jar for migration tools, under the table's own name. */
    static String script(Dialect dialect, TableName table) {
        return read("/db/idempotency/" + dialect.key() + "/R__idempotency_record.sql")
                .replace(NAME + "_expiry", table.simple() + "_expiry")
                .replaceAll("\\b" + NAME + "\\b", table.qualified());
    }

    private List<String> statements() {
        return Arrays.stream(script(dialect, table).replaceAll("(?m)^--.*$", "").split(";", -1))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
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

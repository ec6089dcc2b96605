package io.idempotency.jdbc.sql;

import io.idempotency.jdbc.sql.Dialect.Trouble;
import io.idempotency.jdbc.sql.Statements.Verb;
import io.micronaut.context.exceptions.ConfigurationException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates, upgrades and validates the table. Each version has a script per database; a table has a version when it has
 * the column that the version's script adds last.
 */
public record Schema(Dialect dialect, TableName table) {

    private record Version(String script, String mark) {}

    /** A column of the table: one of {@link Types}, and its width. */
    private record Column(int type, int precision) {}

    private static final List<Version> VERSIONS = List.of(
            new Version("R__idempotency_001_record.sql", "id"),
            new Version("R__idempotency_002_checksum.sql", "checksum"));

    private static final Logger LOG = LoggerFactory.getLogger(Schema.class);

    /** Nodes that start together create the same objects: a node whose statement fails tries again. */
    private static final int ATTEMPTS = 10;

    private static final Set<Integer> TEXT = Set.of(
            Types.VARCHAR, Types.LONGVARCHAR, Types.CHAR, Types.NVARCHAR, Types.LONGNVARCHAR, Types.CLOB, Types.NCLOB);
    private static final Set<Integer> LONG = Set.of(Types.BIGINT, Types.NUMERIC, Types.DECIMAL);
    private static final Set<Integer> NUMBER =
            Set.of(Types.BIGINT, Types.NUMERIC, Types.DECIMAL, Types.INTEGER, Types.SMALLINT);
    private static final Set<Integer> FLAG = Set.of(Types.BIT, Types.BOOLEAN);
    private static final Set<Integer> BYTES = Set.of(Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB);

    /**
     * Runs the scripts of the versions that the table lacks. H2 makes a new table as a whole, and refuses to alter one:
     * it copies the table to add a column, and forgets rows that another node writes meanwhile.
     *
     * @throws ConfigurationException for a table of H2 of an older version
     */
    public void upgrade(Connection connection) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try (Statement statement = connection.createStatement()) {
                Map<String, Column> columns = columns(connection);
                List<Version> missing = missing(columns);
                if (dialect == Dialect.H2 && !columns.isEmpty() && !missing.isEmpty()) {
                    throw outdated(false, missing);
                }
                if (dialect == Dialect.H2 && missing.isEmpty() && !indexed(connection)) {
                    // another node has just made the table, and while it makes the indexes, H2 may fail to plan a query
                    run(VERSIONS.get(0), statement);
                }
                for (Version version : missing) {
                    run(version, statement);
                    LOG.info(
                            "Ran {} for the table {} of idempotency records (idempotency.jdbc.schema is create)",
                            version.script,
                            table.qualified());
                }
                return;
            } catch (SQLException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
                LOG.debug("Making the table {} failed, looking again", table.qualified(), e);
            }
        }
    }

    private boolean indexed(Connection connection) throws SQLException {
        String last = "LOWER(INDEX_NAME) = LOWER('" + table.simple() + "_open')";
        return Sql.answer(connection, "SELECT 1 FROM INFORMATION_SCHEMA.INDEXES WHERE " + last) != null;
    }

    private void run(Version version, Statement statement) throws SQLException {
        for (String part : script(version).replaceAll("(?m)^--.*$", "").split(";")) {
            if (!part.isBlank()) {
                statement.execute(part.strip());
            }
        }
    }

    /** Throws {@link ConfigurationException} when the table does not fit this version of the library. */
    public void validate(Connection connection, Statements sql) throws SQLException {
        Map<String, Column> columns = columns(connection);
        List<Version> missing = missing(columns);
        if (!missing.isEmpty()) {
            throw outdated(columns.isEmpty(), missing);
        }
        String problems = Arrays.stream(dialect.text("all_columns").split(", "))
                .map(name -> problem(name, columns.get(name)))
                .filter(Objects::nonNull)
                .collect(Collectors.joining(", "));
        if (!problems.isEmpty()) {
            throw unfit(" does not fit this version of the library: " + problems
                    + ". Change these columns to what they are in a new table, or name another table:\n"
                    + script(dialect, table));
        }
        if (Sql.answer(connection, sql.sql(Verb.UNIQUE_ID).text()) == null) {
            throw unfit(
                    ": the column id alone is not unique, so two nodes could claim one key. The application does not"
                            + " start. Make id the primary key; partition the table, where it is, by the hash of id.");
        }
        String format = Sql.answer(connection, sql.sql(Verb.NEWEST_FORMAT).text());
        if (format != null && Integer.parseInt(format) > Statements.FORMAT) {
            throw unfit(" holds records of format " + format
                    + ", written by a newer version of the library; this one knows formats up to "
                    + Statements.FORMAT + ". Start the newer version.");
        }
    }

    /** Returns the table's columns by lower-case name; empty when there is no table. */
    private Map<String, Column> columns(Connection connection) throws SQLException {
        Map<String, Column> found = new TreeMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT * FROM " + table.qualified() + " WHERE 1 = 0")) {
            ResultSetMetaData columns = rows.getMetaData();
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                found.put(
                        columns.getColumnName(i).toLowerCase(Locale.ROOT),
                        new Column(columns.getColumnType(i), columns.getPrecision(i)));
            }
        } catch (SQLException e) {
            if (!dialect.is(Trouble.NO_TABLE, e)) {
                throw e;
            }
        }
        return found;
    }

    private static List<Version> missing(Map<String, Column> columns) {
        return VERSIONS.stream()
                .filter(version -> !columns.containsKey(version.mark))
                .toList();
    }

    /** Describes what is wrong with a column; null when it fits. */
    private @Nullable String problem(String name, @Nullable Column column) {
        if (column == null) {
            return "column " + name + " is missing";
        }
        if (!fits(name, column.type())) {
            return "column " + name + " has the wrong type";
        }
        Matcher least = Pattern.compile("\\b" + name + " (\\d+)").matcher(dialect.text("widths"));
        boolean narrow =
                least.find() && column.precision() > 0 && column.precision() < Integer.parseInt(least.group(1));
        return narrow ? "column " + name + " is narrower than " + least.group(1) + " characters" : null;
    }

    private static boolean fits(String name, int type) {
        return switch (name) {
            case "waited_for" -> FLAG.contains(type);
            case "attempt", "format_version" -> NUMBER.contains(type);
            case "result" -> BYTES.contains(type);
            case "fence", "result_size", "checksum" -> LONG.contains(type);
            default -> (name.endsWith("_ms") ? LONG : TEXT).contains(type);
        };
    }

    private ConfigurationException outdated(boolean absent, List<Version> missing) {
        String problem = absent
                ? " does not exist"
                : " is of schema version " + (VERSIONS.size() - missing.size()) + ", and this library needs version "
                        + VERSIONS.size();
        String files = missing.stream().map(version -> version.script).collect(Collectors.joining(", "));
        boolean alone = dialect == Dialect.H2 && !absent;
        return unfit(problem + ". The application does not start. "
                + (alone
                        ? "Stop the other nodes: H2 forgets what they write while it alters the table. Then run"
                        : "Run")
                + " the statements below, or with your migrations the files of the same content (" + files + " in "
                + dialect.folder() + " of the jar)" + (alone ? "" : ", or set idempotency.jdbc.schema to create")
                + ".\n" + missing.stream().map(this::script).collect(Collectors.joining("\n")));
    }

    private ConfigurationException unfit(String problem) {
        return new ConfigurationException("The table " + table.qualified() + " (idempotency.jdbc.table)" + problem);
    }

    /** Returns the statements that create the table. */
    public static String script(Dialect dialect, TableName table) {
        Schema schema = new Schema(dialect, table);
        return VERSIONS.stream().map(schema::script).collect(Collectors.joining("\n"));
    }

    private String script(Version version) {
        String resource = "/" + dialect.folder() + version.script;
        try (InputStream in = Objects.requireNonNull(Schema.class.getResourceAsStream(resource), resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .replace("${idempotency}_", table.simple() + "_") // an index has the schema of its table
                    .replace("${idempotency}", table.qualified());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

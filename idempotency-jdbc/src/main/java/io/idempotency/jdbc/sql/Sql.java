package io.idempotency.jdbc.sql;

import io.idempotency.jdbc.sql.Statements.Verb;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A statement, parsed once at start-up.
 *
 * @param text with question marks for the parameters
 * @param slots the parameter of each question mark
 * @param verb its kind
 * @param together the same statement for many records, whose rows begin with the record's id; null without one
 */
public record Sql(
        String text, List<Param> slots, Verb verb, @Nullable Sql together) {

    /** {@code :owner} is one value, {@code :owner[]} an array with the value of each caller. */
    static final Pattern NAME = Pattern.compile(":([a-z_]+)(\\[])?");

    public static Sql parse(String named, Verb verb, @Nullable Sql together) {
        List<Param> slots = new ArrayList<>();
        String text = NAME.matcher(named).replaceAll(name -> {
            slots.add(Param.named(name.group(1)));
            return "?";
        });
        return new Sql(text.replaceAll("\\s+", " ").strip(), List.copyOf(slots), verb, together);
    }

    /** Returns the first column of the first row that a query answers; null without one. */
    public static @Nullable String answer(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            return rows.next() ? rows.getString(1) : null;
        }
    }

    /** Executes a statement without parameters, and tells whether it answers rows. */
    public static boolean execute(Connection connection, String text) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.execute(text);
        }
    }

    public void bind(PreparedStatement statement, List<StatementValues> callers) throws SQLException {
        for (int i = 0; i < slots.size(); i++) {
            Param param = slots.get(i);
            Object[] each = callers.stream().map(values -> values.get(param)).toArray(param::array);
            statement.setArray(i + 1, statement.getConnection().createArrayOf(param.elements(), each));
        }
    }

    public void bind(PreparedStatement statement, StatementValues values) throws SQLException {
        for (int i = 0; i < slots.size(); i++) {
            Param param = slots.get(i);
            statement.setObject(i + 1, values.get(param), param.sqlType);
        }
    }

    /** The parameters of statements, written {@code :owner}, {@code :lease_ms} and so on. */
    public enum Param {
        ID(Types.VARCHAR),
        OPERATION(Types.VARCHAR),
        FINGERPRINT(Types.VARCHAR),
        OWNER(Types.VARCHAR),
        FENCE(Types.BIGINT),
        TAKE_OVER(Types.INTEGER),
        LEASE_MS(Types.BIGINT),
        RETENTION_MS(Types.BIGINT),
        AFTER_LEASE_MS(Types.BIGINT),
        RESULT_KIND(Types.VARCHAR),
        RESULT(Types.VARBINARY),
        RESULT_OMITTED(Types.VARCHAR),
        RESULT_SIZE(Types.BIGINT),
        FAILURE_TYPE(Types.VARCHAR),
        FAILURE_MESSAGE(Types.VARCHAR),
        FAILURE_CODE(Types.VARCHAR),
        DOUBT(Types.VARCHAR),
        AUDIT(Types.VARCHAR),
        AUDIT_MS(Types.BIGINT),
        CHECKSUM(Types.BIGINT),
        SEEN_CHECKSUM(Types.BIGINT),
        LOCK_WAIT(Types.VARCHAR),
        LATEST_MS(Types.BIGINT),
        EXPECTED_MS(Types.BIGINT),
        FENCE_MEMORY_US(Types.BIGINT),
        STATE(Types.VARCHAR),
        ANY_OPERATION(Types.INTEGER),
        AFTER_MS(Types.BIGINT),
        AFTER_ID(Types.VARCHAR),
        OLDER_THAN_MS(Types.BIGINT),
        LIMIT(Types.INTEGER);

        private final int sqlType;

        Param(int sqlType) {
            this.sqlType = sqlType;
        }

        /** Returns PostgreSQL's type for the elements of an array. */
        String elements() {
            return switch (sqlType) {
                case Types.BIGINT -> "bigint";
                case Types.INTEGER -> "integer";
                case Types.VARBINARY -> "bytea";
                default -> "text";
            };
        }

        private Object[] array(int length) {
            return switch (sqlType) {
                case Types.BIGINT -> new Long[length];
                case Types.INTEGER -> new Integer[length];
                case Types.VARBINARY -> new byte[length][];
                default -> new String[length];
            };
        }

        static Param named(String name) {
            return valueOf(name.toUpperCase(Locale.ROOT));
        }
    }
}

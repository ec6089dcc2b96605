package io.idempotency.jdbc;

import java.sql.Types;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the table's columns must be able to hold. */
final class TableColumns {

    private static final Set<Integer> TEXT = Set.of(
            Types.VARCHAR, Types.LONGVARCHAR, Types.CHAR, Types.NVARCHAR, Types.LONGNVARCHAR, Types.CLOB, Types.NCLOB);
    private static final Set<Integer> LONG = Set.of(Types.BIGINT, Types.NUMERIC, Types.DECIMAL);
    private static final Set<Integer> NUMBER =
            Set.of(Types.BIGINT, Types.NUMERIC, Types.DECIMAL, Types.INTEGER, Types.SMALLINT);
    private static final Set<Integer> BYTES = Set.of(Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB);
    private static final Set<Integer> FLAG = Set.of(Types.BIT, Types.BOOLEAN);
    private static final Map<String, Integer> WIDTHS = Map.of(
            "id",
            64,
            "operation",
            250,
            "fingerprint",
            100,
            "owner",
            64,
            "state",
            11,
            "result_omitted",
            500,
            "failure_type",
            250,
            "failure_message",
            2000,
            "failure_code",
            100,
            "doubt",
            500);

    private TableColumns() {}

    /**
     * A column as it is.
     *
     * @param type one of {@link Types}
     * @param precision its width
     */
    record Found(int type, int precision) {}

    /** All that is wrong, for people; empty when the table fits. */
    static String problems(Dialect dialect, Map<String, Found> found) {
        return Stream.concat(
                        Arrays.stream((Statements.COLUMNS + ", " + Statements.AUDIT_COLUMNS).split(", *", -1)),
                        dialect.ownColumns().stream())
                .map(name -> problem(name, found))
                .filter(problem -> !problem.isEmpty())
                .collect(Collectors.joining(", "));
    }

    private static String problem(String name, Map<String, Found> found) {
        Found column = found.get(name);
        if (column == null) {
            return "column " + name + " is missing";
        }
        if (!expected(name).contains(column.type())) {
            return "column " + name + " has the wrong type";
        }
        int width = WIDTHS.getOrDefault(name, 0);
        boolean narrow = column.precision() > 0 && column.precision() < width;
        return narrow ? "column " + name + " is narrower than " + width + " characters" : "";
    }

    private static Set<Integer> expected(String name) {
        if (name.equals(PostgresDialect.WAITED_FOR)) {
            return FLAG;
        }
        if (name.equals("result")) {
            return BYTES;
        }
        if (name.endsWith("_ms") || name.equals("fence") || name.equals("result_size") || name.equals("checksum")) {
            return LONG;
        }
        return name.equals("attempt") || name.equals("format_version") ? NUMBER : TEXT;
    }
}

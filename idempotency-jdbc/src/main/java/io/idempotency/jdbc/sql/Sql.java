package io.idempotency.jdbc.sql;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A statement with named parameters, taken apart once at start-up.
 *
 * @param text what the driver gets, with question marks
 * @param slots which value belongs to which question mark
 * @param quietly the same without a notification; null for a statement that sends none
 * @param together the same for many records, whose answer begins with the record's id; null where there is none
 */
public record Sql(
        String text,
        List<Slot> slots,
        @Nullable Sql quietly,
        @Nullable Sql together) {

    /** {@code :owner} is one value, {@code :owner[]} an array of those of all callers. */
    static final Pattern NAME = Pattern.compile(":([a-z_]+)(\\[])?");

    /**
     * A question mark.
     *
     * @param each whether it stands for an array
     */
    public record Slot(Param param, boolean each) {}

    /** Takes a statement apart. */
    public static Sql parse(String named) {
        List<Slot> slots = new ArrayList<>();
        String text = NAME.matcher(named).replaceAll(name -> {
            slots.add(new Slot(Param.named(name.group(1)), name.group(2) != null));
            return "?";
        });
        return new Sql(text.replaceAll("\\s+", " ").strip(), List.copyOf(slots), null, null);
    }

    /** The same with more at its end. */
    public Sql ending(String end) {
        return end.isEmpty() ? this : new Sql(text + ' ' + end, slots, null, null);
    }

    Sql or(Sql quiet) {
        return new Sql(text, slots, quiet, together);
    }

    Sql orTogether(Sql many) {
        return new Sql(text, slots, quietly, many);
    }

    /** Whether it changes nothing, so that one answer is as good for several callers. */
    public boolean reads() {
        return text.startsWith("SELECT");
    }

    /** Binds the values of many callers. */
    public void bind(PreparedStatement statement, List<StatementValues> callers) throws SQLException {
        for (int i = 0; i < slots.size(); i++) {
            Param param = slots.get(i).param();
            Object[] each = callers.stream().map(values -> values.get(param)).toArray(param::array);
            statement.setArray(i + 1, statement.getConnection().createArrayOf(param.elements(), each));
        }
    }

    /** Binds the values of one caller. */
    public void bind(PreparedStatement statement, StatementValues values) throws SQLException {
        for (int i = 0; i < slots.size(); i++) {
            Param param = slots.get(i).param();
            statement.setObject(i + 1, values.get(param), param.sqlType);
        }
    }

    /** The values that a statement names as {@code :owner}, {@code :lease_ms} and so on. */
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
        LATEST_MS(Types.BIGINT),
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

        /** PostgreSQL's name for an array's elements. */
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

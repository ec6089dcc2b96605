package io.idempotency.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A statement with named parameters, taken apart once at start-up.
 *
 * @param text what the driver gets, with question marks
 * @param params which value belongs to which question mark
 * @param quietly the same without telling anybody; null for a statement that tells nobody
 */
record Sql(String text, List<Param> params, @Nullable Sql quietly) {

    private static final Pattern NAME = Pattern.compile(":([a-z_]+)");

    static Sql parse(String named) {
        List<Param> params = new ArrayList<>();
        Matcher matcher = NAME.matcher(named);
        StringBuilder text = new StringBuilder();
        while (matcher.find()) {
            params.add(Param.named(matcher.group(1)));
            matcher.appendReplacement(text, "?");
        }
        return new Sql(
                matcher.appendTail(text).toString().replaceAll("\\s+", " ").strip(), List.copyOf(params), null);
    }

    Sql or(Sql quiet) {
        return new Sql(text, params, quiet);
    }

    void bind(PreparedStatement statement, Values values) throws SQLException {
        for (int i = 0; i < params.size(); i++) {
            Param param = params.get(i);
            Object value = values.get(param);
            if (value == null) {
                statement.setNull(i + 1, param.sqlType());
            } else if (value instanceof byte[] bytes) {
                statement.setBytes(i + 1, bytes);
            } else if (value instanceof String string) {
                statement.setString(i + 1, string);
            } else if (value instanceof Integer number) {
                statement.setInt(i + 1, number);
            } else {
                statement.setLong(i + 1, (Long) value);
            }
        }
    }

    /** The values that a statement names as {@code :owner}, {@code :lease_ms} and so on. */
    enum Param {
        ID(Types.VARCHAR),
        OPERATION(Types.VARCHAR),
        FINGERPRINT(Types.VARCHAR),
        OWNER(Types.VARCHAR),
        FENCE(Types.BIGINT),
        TAKE_OVER(Types.INTEGER),
        LEASE_MS(Types.BIGINT),
        RETENTION_MS(Types.BIGINT),
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

        int sqlType() {
            return sqlType;
        }

        static Param named(String name) {
            return valueOf(name.toUpperCase(Locale.ROOT));
        }
    }
}

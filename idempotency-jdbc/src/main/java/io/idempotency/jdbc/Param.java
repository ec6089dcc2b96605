package io.idempotency.jdbc;

import java.sql.Types;
import java.util.Locale;

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

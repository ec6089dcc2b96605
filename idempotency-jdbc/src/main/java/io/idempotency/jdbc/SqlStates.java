package io.idempotency.jdbc;

import java.sql.SQLException;
import java.util.Set;

/** What a SQLState means to the store. Messages are never looked at: they differ by language and version. */
final class SqlStates {

    private static final Set<String> DUPLICATE = Set.of("23505", "23000", "23001");
    private static final Set<String> NO_TABLE = Set.of("42P01", "42S02", "42S04", "3F000", "90079");
    private static final String ROLLED_BACK = "40";

    private SqlStates() {}

    /** The statement lost against another one, changed nothing and may be sent again. */
    static boolean rolledBack(SQLException e) {
        return e.getSQLState() != null && e.getSQLState().startsWith(ROLLED_BACK);
    }

    /** Another transaction inserted the same key first. */
    static boolean duplicateKey(SQLException e) {
        return DUPLICATE.contains(String.valueOf(e.getSQLState()));
    }

    /** There is no such table, or no such schema. */
    static boolean noTable(SQLException e) {
        return NO_TABLE.contains(String.valueOf(e.getSQLState()));
    }
}

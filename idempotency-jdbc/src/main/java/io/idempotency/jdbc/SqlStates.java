package io.idempotency.jdbc;

import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/** What a SQLState means to the store. Messages are never looked at: they differ by language and version. */
final class SqlStates {

    private static final Set<String> DUPLICATE = Set.of("23505", "23000", "23001");
    private static final Set<String> NO_TABLE = Set.of("42P01", "42S02", "42S04", "3F000", "90079", "S0002");
    private static final int NO_ORACLE_TABLE = 942;
    private static final Set<String> LOCKED = Set.of("55P03", "HYT00", "90131");
    private static final int MYSQL_LOCK_WAIT_TIMEOUT = 1205; // with the general SQLState HY000
    private static final Set<String> CANNOT_TELL = Set.of("42501", "54000");
    private static final String ROLLED_BACK = "40";
    private static final String CONNECTION = "08";
    private static final String CANCELLED = "57014";

    private SqlStates() {}

    /** The statement lost against another one, changed nothing and may be sent again. */
    static boolean rolledBack(SQLException e) {
        return e.getSQLState() != null && e.getSQLState().startsWith(ROLLED_BACK);
    }

    /** There was no connection, or no answer in time. */
    static boolean unanswered(SQLException e) {
        String state = e.getSQLState();
        return e instanceof SQLTimeoutException
                || e instanceof SQLTransientConnectionException
                || (state != null && (state.startsWith(CONNECTION) || state.equals(CANCELLED)));
    }

    /** Another transaction inserted the same key first. */
    static boolean duplicateKey(SQLException e) {
        return DUPLICATE.contains(String.valueOf(e.getSQLState()));
    }

    /** The statement waited for another transaction's row as long as it may: lock time-out, or H2's concurrent update. */
    static boolean locked(SQLException e) {
        return LOCKED.contains(String.valueOf(e.getSQLState())) || e.getErrorCode() == MYSQL_LOCK_WAIT_TIMEOUT;
    }

    /** There is no such table, or no such schema. */
    static boolean noTable(SQLException e) {
        // Oracle has one SQLState for all that is wrong with a statement
        return NO_TABLE.contains(String.valueOf(e.getSQLState())) || e.getErrorCode() == NO_ORACLE_TABLE;
    }

    /** PostgreSQL's pg_notify is not granted, or the queue of notifications is full; or something else is. */
    static boolean cannotTell(SQLException e) {
        return CANNOT_TELL.contains(String.valueOf(e.getSQLState()));
    }
}

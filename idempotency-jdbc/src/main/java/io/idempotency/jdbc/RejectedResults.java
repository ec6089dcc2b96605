package io.idempotency.jdbc;

import io.idempotency.runtime.store.ResultRejectedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Tells results that the database will never take, however often it is asked, from a database that cannot be asked. */
final class RejectedResults {

    /** Data exceptions (22001 for one that is too long), limits of the program (54), and violated checks of PostgreSQL and H2. */
    private static final List<String> STATES = List.of("22", "54", "23513", "23514");

    /** Larger than max_allowed_packet: MySQL's server says 1153, the drivers do not even send it. */
    private static final int PACKET_TOO_LARGE = 1153;

    private static final Set<String> TOO_LARGE = Set.of(
            "com.mysql.cj.jdbc.exceptions.PacketTooBigException",
            "com.mysql.cj.exceptions.CJPacketTooBigException",
            "org.mariadb.jdbc.export.MaxAllowedPacketException");

    private RejectedResults() {}

    /**
     * Records a result.
     *
     * @param transaction whose transaction must survive that the result is rejected; null for a statement of its own
     * @param complete the statement
     */
    static <T> T told(@Nullable Connection transaction, Supplier<T> complete) {
        Savepoint before = transaction == null ? null : savepoint(transaction);
        try {
            return complete.get();
        } catch (RuntimeException e) {
            SQLException cause = rejection(e);
            if (cause == null) {
                throw e;
            }
            if (transaction != null && before != null) {
                undo(transaction, before, e);
            }
            ResultRejectedException rejected =
                    new ResultRejectedException("the database does not take it (SQLSTATE " + cause.getSQLState() + ")");
            rejected.initCause(e);
            throw rejected;
        }
    }

    /** Only PostgreSQL forgets the whole transaction when a statement fails. */
    private static @Nullable Savepoint savepoint(Connection transaction) {
        try {
            return transaction.getMetaData().getDatabaseProductName().equals("PostgreSQL")
                    ? transaction.setSavepoint()
                    : null;
        } catch (SQLException e) {
            throw new JdbcStoreException("The transaction takes no savepoint, and is rolled back", e);
        }
    }

    private static void undo(Connection transaction, Savepoint before, RuntimeException rejected) {
        try {
            transaction.rollback(before);
        } catch (SQLException e) {
            rejected.addSuppressed(e);
            throw rejected;
        }
    }

    private static @Nullable SQLException rejection(Throwable failure) {
        SQLException last = null;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                last = sql;
                if (isRejection(sql)) {
                    return sql;
                }
            }
            if (last != null && TOO_LARGE.contains(cause.getClass().getName())) {
                return last;
            }
        }
        return null;
    }

    private static boolean isRejection(SQLException failure) {
        String state = failure.getSQLState();
        return failure.getErrorCode() == PACKET_TOO_LARGE
                || state != null && STATES.stream().anyMatch(state::startsWith);
    }
}

package io.idempotency.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Lends connections, each for the work of one statement. */
public interface ConnectionSource {

    /** Thrown when nothing was sent to the database. Its message is complete without the SQLState. */
    final class NotSentException extends SQLException {

        private static final long serialVersionUID = 1L;

        public NotSentException(String message) {
            super(message, "08001");
        }

        static NotSentException interrupted(String what) {
            return new NotSentException(
                    "The calling thread was interrupted while it waited for " + what
                            + ". Nothing was sent to the idempotency store's database; if this was a claim, the body did not run.");
        }
    }

    interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    <T> T lend(Work<T> work) throws SQLException;

    /** Lends a connection for a claim, which may have to wait for another transaction's claim of the key. */
    default <T> T lendForClaim(Work<T> work) throws SQLException {
        return lend(work);
    }

    /** Returns what sends the statements of several callers together; null when each statement is sent alone. */
    default @Nullable StatementGroups together() {
        return null;
    }

    /** Returns how long a claim waits for the other transaction. */
    default Duration waitOfClaim() {
        return Duration.ZERO;
    }
}

package io.idempotency.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Lends a connection for the work of one statement. */
public interface ConnectionSource {

    /** Nothing was sent to the database. The message says all. */
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

    /** One statement's work. */
    interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    <T> T lend(Work<T> work) throws SQLException;

    /** As {@link #lend}, for a statement that may have to wait for another transaction that claims the same key. */
    default <T> T lendForClaim(Work<T> work) throws SQLException {
        return lend(work);
    }

    /** By which statements of the calling thread are sent with those of others; null where each goes alone. */
    default @Nullable StatementGroups together() {
        return null;
    }

    /** How long such a statement waits for it. */
    default Duration waitOfClaim() {
        return Duration.ZERO;
    }
}

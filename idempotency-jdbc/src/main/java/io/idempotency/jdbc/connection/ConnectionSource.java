package io.idempotency.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;

/** Lends connections, each for the work of one statement. */
public interface ConnectionSource {

    /** Thrown when nothing was sent to the database. Its message is complete without the SQLState. */
    final class NotSentException extends SQLException {

        private NotSentException(String message) {
            super(message, "08001"); // by which the engine knows of an outer call that nothing was sent
        }

        /** Refuses a claim, because of what the server answered. */
        public static NotSentException refused(String why) {
            return new NotSentException("The record was not claimed and the body did not run: " + why);
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

    /** Lends a connection for work that ends within the time-out. */
    <T> T lend(CommandTimeout within, Work<T> work) throws SQLException;
}

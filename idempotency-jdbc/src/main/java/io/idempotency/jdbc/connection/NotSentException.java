package io.idempotency.jdbc.connection;

import java.sql.SQLException;

/** Nothing was sent to the database. The message says all. */
public final class NotSentException extends SQLException {

    private static final long serialVersionUID = 1L;

    public NotSentException(String message) {
        super(message, "08001");
    }

    static NotSentException interrupted(String what) {
        return new NotSentException("The calling thread was interrupted while it waited for " + what
                + ". Nothing was sent to the idempotency store's database; if this was a claim, the body did not run.");
    }
}

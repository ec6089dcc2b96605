package io.idempotency.jdbc.connection;

import io.idempotency.jdbc.sql.Dialect;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The database refused or could not be asked. Its SQLState, where there is one, is in the cause. */
public final class JdbcStoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public JdbcStoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Whether the database said that. */
    public boolean is(Dialect.Trouble trouble, Dialect dialect) {
        return getCause() instanceof SQLException cause && dialect.is(trouble, cause);
    }
}

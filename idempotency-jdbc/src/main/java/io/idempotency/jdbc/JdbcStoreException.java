package io.idempotency.jdbc;

import org.jspecify.annotations.Nullable;

/** The database refused or could not be asked. Its SQLState, where there is one, is in the cause. */
final class JdbcStoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    JdbcStoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

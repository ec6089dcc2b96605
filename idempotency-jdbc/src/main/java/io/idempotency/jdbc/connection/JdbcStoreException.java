package io.idempotency.jdbc.connection;

import io.idempotency.jdbc.connection.ConnectionSource.NotSentException;
import io.idempotency.jdbc.sql.Dialect;
import io.idempotency.jdbc.sql.Dialect.Trouble;
import io.idempotency.runtime.store.IdempotencyStore.ClaimsRefusedException;
import io.idempotency.runtime.store.ResultRejectedException;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Thrown when the database refuses a statement or cannot be asked. The cause has the SQLState, if there is one. */
public final class JdbcStoreException extends RuntimeException {

    /** The drivers' exceptions for a value larger than max_allowed_packet, which they do not send. */
    private static final Set<String> TOO_LARGE = Set.of(
            "com.mysql.cj.jdbc.exceptions.PacketTooBigException",
            "com.mysql.cj.exceptions.CJPacketTooBigException",
            "org.mariadb.jdbc.export.MaxAllowedPacketException");

    private final @Nullable Dialect dialect;

    /** Reports a refusal by this library, without the database. */
    public JdbcStoreException(String message) {
        super(message);
        this.dialect = null;
    }

    private JdbcStoreException(String message, SQLException cause, Dialect dialect) {
        super(message, cause);
        this.dialect = dialect;
    }

    /** Describes the failure of a statement, and what to do. */
    static JdbcStoreException of(SQLException e, Dialect dialect, CommandTimeout limit) {
        String said = "SQLState " + e.getSQLState() + ": " + e.getMessage();
        String message = "The idempotency store's database answered with " + said;
        if (e instanceof NotSentException) {
            message = String.valueOf(e.getMessage());
        } else if (dialect.is(Trouble.READ_ONLY, e)) {
            message = "The idempotency store's database takes no writes (" + said + "): it is a standby, or set to"
                    + " read-only, or a transactional operation joined a read-only transaction. Nothing was written; if this"
                    + " was a claim, the body did not run. Let the data source (idempotency.jdbc.datasource) reach the"
                    + " primary server, or the caller's transaction write.";
        } else if (Dialect.unanswered(e)) {
            message =
                    "The idempotency store's database did not answer (" + said + "). A connection, and every statement,"
                            + " may take idempotency.jdbc.command-timeout (" + limit.timeout() + ").";
        }
        return new JdbcStoreException(message, e, dialect);
    }

    public boolean is(Trouble trouble) {
        return dialect != null && getCause() instanceof SQLException cause && dialect.is(trouble, cause);
    }

    public boolean isNotSent() {
        return getCause() instanceof NotSentException;
    }

    /** Tells whether the database cannot be reached, rather than answers that it does not do what it was asked. */
    public boolean isAway() {
        return getCause() instanceof SQLException cause
                && (Dialect.unanswered(cause) || is(Trouble.NOT_SERVING))
                && !(cause instanceof NotSentException);
    }

    /** Returns this failure for a claim which the database has answered already, so that no body runs for it. */
    public ClaimsRefusedException asRefusal() {
        return new ClaimsRefusedException(String.valueOf(getMessage()), this);
    }

    /** Returns what to throw for an outcome: this failure, or that the database can never store the outcome. */
    public RuntimeException orRejected() {
        SQLException last = null;
        for (Throwable cause = getCause(); cause != null; cause = cause.getCause()) {
            last = cause instanceof SQLException sql ? sql : last;
            boolean tooLarge = TOO_LARGE.contains(cause.getClass().getName());
            if (last != null && (tooLarge || dialect != null && dialect.is(Trouble.REJECTED, last))) {
                RuntimeException rejected = new ResultRejectedException(
                        "the database does not take it (SQLSTATE " + last.getSQLState() + ")");
                rejected.initCause(this);
                return rejected;
            }
        }
        return this;
    }
}

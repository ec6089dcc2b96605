package io.idempotency.jdbc.connection;

import io.idempotency.jdbc.sql.Dialect;
import io.idempotency.jdbc.sql.Dialect.Trouble;
import io.idempotency.jdbc.sql.Sql;
import io.idempotency.jdbc.sql.Sql.Param;
import io.idempotency.runtime.store.TransactionalStore.KeyLockedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * A transaction of the caller's.
 *
 * @param waitOfClaim how long a claim waits for another transaction's claim of the key
 */
record JoinedTransaction(Connection connection, Duration waitOfClaim) implements ConnectionSource {

    private interface Reset extends AutoCloseable {
        @Override
        void close() throws SQLException;
    }

    @Override
    public <T> T lend(CommandTimeout within, Work<T> work) throws SQLException {
        return within.on(connection, work);
    }

    /** Returns the lock time-out of a claim, in the database's unit; zero would wait for ever in some databases. */
    String lockWait(Dialect dialect) {
        return Long.toString(Math.max(1, waitOfClaim.toMillis() / Long.parseLong(dialect.text("lock_wait_unit_ms"))));
    }

    /** Runs the work of a claim with a lock time-out that does not apply to the body's own statements. */
    <T> T claiming(Dialect dialect, Sql claim, Work<T> work) throws SQLException {
        try {
            boolean limitsItself = claim.slots().contains(Param.LOCK_WAIT);
            return limitsItself ? work.on(connection) : limited(dialect, work);
        } catch (SQLException e) {
            if (dialect.is(Trouble.LOCKED, e) || dialect.is(Trouble.ROLLED_BACK, e)) {
                throw new KeyLockedException(e);
            }
            throw e;
        }
    }

    private <T> T limited(Dialect dialect, Work<T> work) throws SQLException {
        String before = String.valueOf(Sql.answer(connection, dialect.text("lock_wait")));
        limit(dialect, lockWait(dialect));
        try (Reset reset = () -> limit(dialect, before)) { // fails too when the work aborted the transaction
            return work.on(connection);
        }
    }

    private void limit(Dialect dialect, String lockWait) throws SQLException {
        Sql.execute(connection, dialect.text("set_lock_wait").formatted(lockWait));
    }
}

package io.idempotency.jdbc;

import io.idempotency.runtime.store.TransactionalStore.KeyLockedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * The connection of a running transaction. A claim there waits for another transaction's claim of the same key, within
 * a limit that holds for the claim only and not for the body's own statements.
 *
 * @param connection the transaction's
 * @param dialect of its database
 * @param waitOfClaim how long a claim waits for the other transaction
 * @param limit how long a statement may take beside that
 */
record TransactionConnectionSource(Connection connection, Dialect dialect, Duration waitOfClaim, TimeLimit limit)
        implements ConnectionSource {

    @Override
    public <T> T lend(Work<T> work) throws SQLException {
        return limit.on(connection, work);
    }

    @Override
    public <T> T lendForClaim(Work<T> work) throws SQLException {
        return limit.plus(waitOfClaim).on(connection, same -> waiting(work));
    }

    private <T> T waiting(Work<T> work) throws SQLException {
        Dialect.LockWait setting = dialect.lockWait(waitOfClaim);
        String before = setting.read(connection);
        setting.write(connection, Long.toString(setting.limit()));
        T answer;
        try {
            answer = work.on(connection);
        } catch (SQLException e) {
            restore(setting, before, e);
            if (dialect.locked(e) || Dialect.rolledBack(e)) {
                throw new KeyLockedException(e);
            }
            throw e;
        }
        setting.write(connection, before);
        return answer;
    }

    /** A database that has given the transaction up refuses this, and forgets the setting with it. */
    private void restore(Dialect.LockWait setting, String before, SQLException failure) {
        try {
            setting.write(connection, before);
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }
}
